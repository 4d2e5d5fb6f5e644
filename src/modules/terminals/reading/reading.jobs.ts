import { perApp } from '../../../platform/capabilities.ts'
import { SECOND } from '../../../platform/clock.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Worker, workConnections } from '../sessions/each-connection.ts'
import { createConnectionReader } from './connection-reader.ts'

const NAME = 'terminals.read'

const getReaders = perApp(() => new Map<string, Worker>())

/** Reads trading servers. RULES “Reading a terminal”. */
export const readTerminals = defineJob({
  name: NAME,
  every: SECOND,
  delay: SECOND,
  run: async (run) => {
    await workConnections(run, NAME, getReaders(run.platform.capabilities), createConnectionReader)
    return null
  },
})
