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

/** Turns this tab into a view as a client. */
export const viewAsTrader = (traderId: string, name: string, reason: string) =>
  call('views.start', { body: { traderId, reason } }).then(enter('trader', name))
/** Turns this tab into a view as a colleague. */
export const viewAsUser = (id: string, name: string) =>
  call('views.startAsUser', { params: { id } }).then(enter('user', name))
export const endView = (id: string) => call('views.end', { params: { id } })
