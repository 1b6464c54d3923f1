//go:build tools

// Package tools names the program that this module pins; nothing imports it.
package tools

import _ "github.com/prometheus/prometheus/cmd/promtool"
