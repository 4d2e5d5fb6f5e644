// Everything that would leave the machine is switched off; the page's CSP would refuse it anyway.
window.Scalar.createApiReference('#explorer', {
  url: '/docs/json',
  title: 'Brokerbase API',
  theme: 'default',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
