import { createHmac } from 'node:crypto'

export type GatewayCallback = {
  reference: string
  depositId?: string
  status: 'success' | 'failed' | 'processing'
  amount?: string
  currency?: string
  reason?: string
}

/**
 * Returns a payment gateway's callback: the JSON body and its headers, signed (hex HMAC-SHA256 over the raw body) with
 * the connection's secret.
 */
export const signGatewayCallback = (
  secret: string,
  callback: GatewayCallback,
): { body: string; headers: Record<string, string> } => {
  const body = JSON.stringify(callback)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { body, headers: { 'content-type': 'application/json', 'x-psp-signature': signature } }
}

/** Returns the signed callback as a Request for an app that does not listen; `headers` are added or replace others. */
export const gatewayRequest = (
  url: string,
  secret: string,
  callback: GatewayCallback,
  headers: Record<string, string> = {},
): Request => {
  const signed = signGatewayCallback(secret, callback)
  return new Request(url, { method: 'POST', body: signed.body, headers: { ...signed.headers, ...headers } })
}

/** Posts the signed callback to a listening server. */
export const postGatewayCallback = (url: string, secret: string, callback: GatewayCallback): Promise<Response> =>
  fetch(gatewayRequest(url, secret, callback))
