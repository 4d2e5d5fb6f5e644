// Everything that would leave the machine is switched off; the page's CSP would refuse it anyway.
window.Scalar.createApiReference('#explorer', {
  url: '/docs/json',
  title: 'Brokerbase API',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  // a session belongs to a browser; programs, and whoever tries one, bring a key
  authentication: { preferredSecurityScheme: 'apiKey' },
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
