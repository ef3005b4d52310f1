"""What every page and view needs: access policies, rate limits, encryption, outgoing HTTP, redirects and middleware."""
