"""What stands between a request and a domain: limits, tokens, headers, forms, pages, languages and refusals."""
