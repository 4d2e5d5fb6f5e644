import { type Answer, call } from '../../../api.ts'
import { enterView } from '../../../lib/api/viewed-person.ts'

type Started = Answer<'views.start'>

const enter = (kind: 'trader' | 'user', name: string) => (started: Started) =>
  enterView({
    id: started.id,
    token: started.token,
    kind,
    name,
    expiresAt: started.expiresAt,
    back: location.pathname + location.search,
  })

/** Views as a client, in this tab. */
export const viewAsTrader = (traderId: string, name: string, reason: string) =>
  call('views.start', { body: { traderId, reason } }).then(enter('trader', name))
/** Views as a colleague, in this tab. */
export const viewAsUser = (id: string, name: string) =>
  call('views.startAsUser', { params: { id } }).then(enter('user', name))
export const endView = (id: string) => call('views.end', { params: { id } })
