import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { createDocument } from '../platform/http/openapi/openapi.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { withPlatform } from './with-platform.ts'

/** Returns the OpenAPI document as JSON text, without touching any data. */
export async function openapi(config: Config): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-openapi-'))
  try {
    return await withPlatform(
      { ...config, dataDir, secretKey: undefined },
      async (platform) => {
        const app = createApp(platform, { setupToken: '', scheduler: createScheduler(platform, []) })
        return `${JSON.stringify(createDocument(app), null, 2)}\n`
      },
      { mayFound: true },
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
