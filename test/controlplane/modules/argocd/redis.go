// A Redis in memory, in place of a redis-server that the machine may not have: Argo CD keeps manifests and health in it.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// The one argument is the address to listen at, as host:port.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: redis HOST:PORT")
		os.Exit(2)
	}
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer server.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	// Its keys grow old only when it is told so.
	second := time.NewTicker(time.Second)
	for {
		select {
		case <-stop:
			return
		case <-second.C:
			server.FastForward(time.Second)
		}
	}
}
