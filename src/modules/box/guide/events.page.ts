import { buildSampleEvent, describeEvent, EVENTS, eventNames } from '../../../platform/events/catalogue.ts'
import { code, json } from './guide.text.ts'

const renderEvent = (name: (typeof eventNames)[number]): string =>
  [`### ${name}`, `${describeEvent(name)}.`, json(EVENTS[name].sample)].join('\n\n')

/** Returns the page with a sample of each event, from the catalogue that the server uses. */
export function eventsPage(): string {
  const chapters = Map.groupBy(eventNames, (name) => name.split('.')[0] ?? name)
  return `# Events

Each event is one JSON object, the same bytes in a webhook and in \`GET /v1/events\`:

${json(buildSampleEvent('deposit.settled'))}

- \`id\` is the event’s, the same at each attempt and replay; in a webhook it is also the header \`webhook-id\`.
- \`sequence\` rises by one with each event of the firm. Deliveries come in any order; the number tells which was first.
- \`payload\` says what happened in ids and facts, never who: names and addresses are read by id, by whoever may.
- Fields may be added to a payload, and events to this list, [at any time](/docs/guide/versions).

Below, the \`payload\` of each. The schema of each is in the [document](/docs/json) under \`x-webhooks\`.

${[...chapters].map(([chapter, names]) => [`## ${chapter}`, ...names.map(renderEvent)].join('\n\n')).join('\n\n')}

## A test delivery

_Test_ on a subscription’s page, or ${code('POST /v1/webhooks/subscriptions/{id}/test')}, sends an event \`webhook.test\` with \`sequence\` 0. It is signed as all others and stands in no feed.
`
}
