import { toNetwork } from '../../access/networks.ts'
import type { Principal } from '../../access/principal.ts'
import type { Platform } from '../../platform.ts'
import { type Admission, type Admitted, bringsBody, checkContentType, tooLarge } from '../body/body.ts'
import type { Origin } from '../body/body-budget.ts'
import { parseExact } from '../body/exact-numbers.ts'
import { createIntake } from '../body/intake.ts'
import { parseJson } from '../body/json-body.ts'
import { isLarge, readSpooled } from '../body/spool.ts'
import type { Inputs } from '../body/unknown-fields.ts'
import type { Front } from './front.ts'

/** Returns who sends a JSON body. A stranger is known only by their network. */
const toOrigin = (principal: Principal, tenantId: string, network: string): Origin =>
  principal.kind === 'anonymous'
    ? { sender: 'public', network, holder: [network] }
    : { sender: principal.kind === 'trader' ? 'trader' : 'staff', network, holder: [tenantId, principal.id] }

type ReadBody = (request: Request, route: string, params: Readonly<Record<string, string>>) => Promise<unknown>

/** Reads the body of a request as its route declared it; undefined if there is none. Throws the 413 and the 415. */
export function createBodyReader(platform: Platform, front: Front, inputs: Inputs): ReadBody {
  const intake = createIntake()
  const { directory, capabilities, clock, config } = platform
  const admission: Admission = { directory, signatures: capabilities.signatures, now: () => clock.now() }
  return async (request, route, params) => {
    const { raw, spooled, admit, maxBytes, maxValues, exactNumbers, rows } = inputs.getLimits(request.method, route)
    if (!raw && !bringsBody(request)) return undefined
    const { ip, principal, tenantId } = front.getCaller(request)
    const network = toNetwork(ip)
    const most = { maxBytes, tooLarge: () => tooLarge(maxBytes) }
    if (raw) {
      const admitted: Admitted = admit?.(admission, request, params) ?? most
      // the sender of a callback may be anybody until its whole body has arrived, which the signature covers
      const origin: Origin = admitted.holder
        ? { sender: 'upload', network, holder: admitted.holder }
        : { sender: 'callback', network, holder: [...Object.values(params), network] }
      return intake.read(request, { ...admitted, ...origin })
    }
    // this looks at the headers alone: a body that is declared too large is refused before its type is checked
    if (Number(request.headers.get('content-length')) > maxBytes) throw most.tooLarge()
    checkContentType(request)
    if (spooled && isLarge(request)) return readSpooled(request, tenantId, config.dataDir, maxBytes)
    const bytes = await intake.read(request, { ...most, ...toOrigin(principal, tenantId, network) })
    return parseJson(bytes, maxValues, exactNumbers ? parseExact : undefined, rows)
  }
}
