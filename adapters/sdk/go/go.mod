module bindproof/adapter

go 1.22
