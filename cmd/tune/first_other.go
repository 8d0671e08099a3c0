//go:build !linux

package main

// beFirst does nothing: there are no containers.
func beFirst() {}
