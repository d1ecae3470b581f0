// Package cloud is what a function of the cloud is given by its environment: a table, a host of the games in it, and
// secrets.
package cloud
