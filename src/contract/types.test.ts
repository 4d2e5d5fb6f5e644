import { describe, expect, test } from 'bun:test'
import type { Config } from '../config.ts'
import { type BoxCtx, type Ctx, createCtx } from '../platform/access/ctx.ts'
import type { BlobStore } from '../platform/db/blobs.ts'
import type { Writer } from '../platform/db/writer.ts'
import type { Platform } from '../platform/platform.ts'
import type { MasterBox } from '../platform/secrets.ts'
import type { Connection } from '../platform/sqlite.ts'
import { createTestApp } from '../testing/app.ts'

// The compiler is the test here: `bun run check` fails on an unexpected error, and if an expected error does not occur.
// Bun only runs the rest.

/** No use case may have these: they lead past the tenant or the audit, or to the secrets of every firm. */
type Forbidden = Platform | Connection | Writer | BlobStore | MasterBox | Config

/** Returns the paths below `T` that lead to something forbidden, through members and results of methods. */
type Leaks<T, Depth extends 0[] = []> = Depth['length'] extends 4
  ? never
  : {
      [K in keyof T & string]: unknown extends T[K]
        ? never
        : T[K] extends Forbidden
          ? K
          : T[K] extends (...given: never[]) => infer Answer
            ? `${K}()${Answer extends Forbidden ? '' : never}`
            : T[K] extends object
              ? `${K}.${Leaks<T[K], [...Depth, 0]>}`
              : never
    }[keyof T & string]

/** Compiles only if the type has no such path. */
const nothing = <_ extends never>(): void => {}

describe('a context leads to no connection, writer or unscoped reader', () => {
  test('the types of a context lead to no connection, writer or unscoped reader', () => {
    nothing<Leaks<Ctx>>()
    nothing<Leaks<BoxCtx>>()
    // @ts-expect-error a nested connection is found, however deep it is
    nothing<Leaks<Ctx & { files: { store: { db: Connection } } }>>()
    // @ts-expect-error a method that returns the platform is found
    nothing<Leaks<Ctx & { owner(): Platform }>>()
  })

  test('a use case with a `Ctx` cannot look past its tenant', () => {
    const work = (ctx: Ctx) => [
      // @ts-expect-error look-ups in all tenants need a `BoxCtx`
      ctx.directory,
      // @ts-expect-error acting in another tenant needs a `BoxCtx`
      ctx.enter,
      // @ts-expect-error
      ctx.visit,
      // @ts-expect-error
      ctx.writeAcross,
    ]
    expect(work).toBeFunction()
  })

  test('a context leads to no connection, writer or unscoped reader when it runs', async () => {
    const app = createTestApp()
    const { platform } = app
    const firm = await app.firm('types')
    const principal = { kind: 'anonymous' } as const
    const ctx = createCtx(platform, { principal, tenantId: firm.tenantId, requestId: 'test', ip: null })
    const forbidden: unknown[] = [
      platform,
      platform.connection,
      platform.reader,
      platform.writer,
      platform.blobs,
      platform.secrets,
      platform.config,
    ]
    const seen = new Set<unknown>()
    const walk = (value: unknown, path: string): string[] => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return []
      seen.add(value)
      if (forbidden.includes(value)) return [path]
      return Object.entries(value).flatMap(([key, member]) => walk(member, `${path}.${key}`))
    }
    expect(walk(ctx, 'ctx')).toEqual([])
    await app.close()
  })
})
