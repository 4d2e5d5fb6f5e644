import type { Config } from '../../config.ts'
import { SECOND } from '../../platform/clock.ts'
import { askServer } from '../health.ts'

const PATIENCE = 3 * SECOND

/** Returns a figure of the metrics of the server; undefined if it does not run, or has no such figure. */
export async function fetchFigure(config: Config, name: string): Promise<number | undefined> {
  const token = config.metricsToken
  const answer = await askServer(config, '/metrics', {
    patience: PATIENCE,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  }).catch(() => null)
  const figure = new RegExp(`^brokerbase_${name} (\\S+)$`, 'm').exec(answer?.body ?? '')?.[1]
  return figure === undefined ? undefined : Number(figure)
}
