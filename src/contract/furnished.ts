import { createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { type Route, routesOf } from './routes.ts'
import { furnish, type Place } from './world.ts'

/** Every operation, for the names of cases: those are wanted before an application is furnished. */
export function everyRoute(): Route[] {
  const probe = createTestApp()
  const found = routesOf(probe)
  void probe.close()
  return found
}

/** An application with a firm that has a row of every kind, and a receiver that takes its webhooks. */
export async function furnished(): Promise<{ app: TestApp; place: Place; close(): Promise<void> }> {
  const receiver = startWebhookReceiver()
  const app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  const place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  return {
    app,
    place,
    close: async () => {
      await app.close()
      await receiver.stop()
    },
  }
}
