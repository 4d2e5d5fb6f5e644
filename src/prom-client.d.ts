// only the parts of prom-client that print, since its main entry also loads tracing and pushing
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client'
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client'
}
