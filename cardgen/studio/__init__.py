"""Studio: cards and bands edited in the browser, drawn by the engines that print them."""
