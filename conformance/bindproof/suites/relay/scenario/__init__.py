"""What a scenario is: its language, its complete form, its rules, its spelling in a dialect."""
