// Package gateway reaches live connections in the cloud, where API Gateway holds them open.
package gateway

import (
	"os"
	"time"

	"boulevard/functions/internal/cloud"
	"boulevard/functions/internal/live"
	"boulevard/functions/internal/store/dynamodb"
)

// Open reaches the connections of the WebSocket API that BOULEVARD_LIVE_ENDPOINT names.
func Open(place cloud.Place) *live.Gateway {
	return &live.Gateway{
		Host: place.Host, Table: place.Table, Log: place.Log, Now: time.Now,
		Poster: live.NewPoster(os.Getenv("BOULEVARD_LIVE_ENDPOINT"), os.Getenv("AWS_REGION"), dynamodb.EnvironmentCredentials()),
	}
}
