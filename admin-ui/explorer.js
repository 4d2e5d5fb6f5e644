// Every feature that would send a request to another host is switched off; the page's CSP would refuse it anyway.
window.Scalar.createApiReference('#explorer', {
  url: '/docs/json',
  title: 'Brokerbase API',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  // The explorer sends an API key, because a session belongs to a browser and programs use keys.
  authentication: { preferredSecurityScheme: 'apiKey' },
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
