import { createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { collectRoutes, type Route } from './routes.ts'
import { furnish, type Place } from './seed-firm.ts'

/** Returns every operation. It needs no rows, since tests need the names of their cases first. */
export function everyRoute(): Route[] {
  const probe = createTestApp()
  const found = collectRoutes(probe)
  void probe.close()
  return found
}

/**
 * Makes an application with a firm that has a row of every kind, and a receiver that takes its webhooks. If a directory
 * is given, the data is stored there and stays.
 */
export async function furnished(dataDir?: string): Promise<{
  app: TestApp
  place: Place
  /** Resolves when background work of requests has ended: copies and jobs. */
  settled(): Promise<void>
  close(): Promise<void>
}> {
  const receiver = startWebhookReceiver()
  const app = createTestApp({
    config: { allowedNetworks: ['127.0.0.0/8'] },
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
  const boss = await place.make.member('platform_admin')
  const isBusy = async (): Promise<boolean> => {
    const copies = await app.call('GET', '/v1/system/backups', { as: boss })
    const jobs = await app.call('GET', '/v1/system/jobs', { as: boss })
    return copies.body.running.length > 0 || jobs.body.data.some(({ running }: { running: boolean }) => running)
  }
  return {
    app,
    place,
    settled: async () => {
      while (await isBusy()) await Bun.sleep(10)
    },
    close: async () => {
      await app.close()
      await receiver.stop()
    },
  }
}
