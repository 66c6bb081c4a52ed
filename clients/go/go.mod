module github.com/tarishi/tarishi/clients/go

go 1.19
