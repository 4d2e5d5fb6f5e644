import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypes, { astToString } from 'openapi-typescript'

/**
 * Makes two clients of an OpenAPI document: openapi-typescript’s types in `types.ts`, hey-api’s SDK in `sdk/`.
 * The preload gives the generators the compiler they know. Usage:
 * bun --preload ./src/testing/old-typescript.ts src/testing/generate-clients.ts FILE DIRECTORY
 */
const [file, directory] = process.argv.slice(2)
if (file === undefined || directory === undefined) {
  process.stderr.write('name the document and the directory\n')
  process.exit(2)
}
const types = await openapiTypes(Bun.pathToFileURL(file))
await Bun.write(join(directory, 'types.ts'), astToString(types))
await createClient({
  input: file,
  output: { path: join(directory, 'sdk') },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'error' },
})
