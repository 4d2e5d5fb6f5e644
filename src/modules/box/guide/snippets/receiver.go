// A receiver of webhooks from Brokerbase. Go 1.18 or newer, nothing to install:
//
//	WEBHOOK_SECRET=whsec_… PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 300 // seconds that a timestamp may be off
	largest   = 1 << 20
)

// Reports whether one of the signatures is right; there are two while a secret is rotated.
func isSigned(key []byte, header http.Header, body []byte) bool {
	sent := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	off := time.Now().Unix() - seconds
	if err != nil || len(key) == 0 || off > tolerance || off < -tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), sent)
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if err == nil && strings.HasPrefix(signature, "v1,") && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

type event struct {
	ID       string          `json:"id"`
	Event    string          `json:"event"`
	Sequence int64           `json:"sequence"`
	Payload  json.RawMessage `json:"payload"`
}

// In production use a table with the id as its key, which survives a restart.
var seen sync.Map

// Stores an event and returns at once; process it after the answer. The same id may come again.
func take(one event) {
	if _, known := seen.LoadOrStore(one.ID, true); !known {
		fmt.Println("took", one.ID, one.Event, one.Sequence)
	}
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		// the signature is of the raw bytes: parse them afterwards
		body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, largest))
		var one event
		if err != nil || !isSigned(key, request.Header, body) || json.Unmarshal(body, &one) != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		take(one)
		answer.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", ":"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	log.Fatal((&http.Server{ReadTimeout: 15 * time.Second}).Serve(listener))
}
