import type { Driver } from './contract/terminal.ts'
import { simulatorDriver } from './simulator/simulator.driver.ts'
import { createTerminal5 } from './terminal5/terminal5.ts'

/** The kinds of trading servers, by name. */
export const drivers: ReadonlyMap<string, Driver> = new Map(
  [createTerminal5(), simulatorDriver].map((driver) => [driver.name, driver]),
)
