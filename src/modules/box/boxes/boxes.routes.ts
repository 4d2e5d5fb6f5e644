import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { BoxesIn, BoxesOut } from './boxes.model.ts'
import { type BoxParts, listBoxes, setBoxes } from './boxes.service.ts'

const administer = { any: true, role: 'platform_admin' } as const

/** The boxes of an installation, for its administrator. */
export const boxRoutes = (parts: BoxParts) =>
  declareRoutes('System')
    .get('/v1/system/boxes', () => listBoxes(parts), {
      access: administer,
      ...op('system.boxes', 'The named boxes, each with what it says of itself within two seconds', { 200: BoxesOut }),
    })
    .put('/v1/system/boxes', ({ ctx, body, expect }) => setBoxes(ctx, parts, body, expect), {
      access: { ...administer, fresh: true },
      body: BoxesIn,
      ...op('system.setBoxes', 'Name the boxes', { 200: BoxesOut }, [412]),
    })
