module tarishi.example/tarishi

go 1.19
