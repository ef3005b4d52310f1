"""Other software with access: API tokens, apps authorised by OAuth 2, and the bots that members bring."""
