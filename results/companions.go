package results

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// companionForm matches the name of a file that a program keeps beside a database, and the name of
// the database in it: logs and locks of SQLite and DuckDB, and the files of lockPath and takeOver.
var companionForm = regexp.MustCompile(
	`(?i)^(.+?)(-wal|-shm|-journal|-mj[0-9a-f]{9}|\.wal|\.lock|\.run-\d+\.lock|\.version\d+(\.\d+)?(\.part)?)$`)

// CompanionOf returns the path of the database that a file belongs to, or "" if it belongs to none.
// The file need not exist: a log that SQLite did not write harms the database, too. Any regular
// file passes for a database, for an encrypted one has no mark.
func CompanionOf(path string) (database string) {
	folder, name := filepath.Split(path)
	match := companionForm.FindStringSubmatch(strings.TrimRight(name, ". ")) // Windows drops such an end
	if match == nil {
		return ""
	}
	if info, err := os.Stat(folder + match[1]); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return folder + match[1]
}
