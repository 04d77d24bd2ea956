module toy

go 1.22
