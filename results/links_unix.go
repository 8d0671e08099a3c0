//go:build unix

package results

import (
	"io/fs"
	"syscall"
)

// links returns how many names a file has by hard links.
func links(file fs.FileInfo) uint64 {
	if s, ok := file.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
