// Pause holds a pod's namespaces: it reaps what the pod's containers leave behind and ends when asked to.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	events := make(chan os.Signal, 16)
	signal.Notify(events, syscall.SIGCHLD, syscall.SIGINT, syscall.SIGTERM)
	for event := range events {
		if event != syscall.SIGCHLD {
			return
		}
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
	}
}
