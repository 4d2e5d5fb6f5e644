import { perApp } from '../../../platform/capabilities.ts'
import type { RemoteTerminal } from '../child/desk.ts'

/** The sessions that read now, by their connections, for whoever asks a terminal something at once. */
export const getLiveSessions = perApp(() => new Map<string, RemoteTerminal>())

/** The connections that were read whole since the start of the program; no money moves before. */
export const getWholeReads = perApp(() => new Set<string>())
