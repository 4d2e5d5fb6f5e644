import { Facts } from '../../../components/page/record-page.tsx'
import { JsonBlock } from '../../../components/show/json-block.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import type { Attempt } from './webhooks.api.ts'
import { say } from './words.ts'

const answered = ({ statusCode }: Attempt): boolean => statusCode !== null && statusCode >= 200 && statusCode < 300

/** Shows when an attempt was made, how long it took and what was answered. */
export const AttemptFacts = ({ attempt }: { attempt: Attempt }) => (
  <div className="attempt">
    <Facts
      items={[
        [
          say('webhooks.answer'),
          <StatusBadge
            key="answer"
            status={answered(attempt) ? 'ok' : 'error'}
            label={attempt.statusCode === null ? say('common.none') : String(attempt.statusCode)}
          />,
        ],
        [say('webhooks.took'), say('webhooks.ms', { latencyMs: attempt.latencyMs })],
        [say('webhooks.sent'), <When key="sent" at={attempt.startedAt} as="second" />],
        [
          say('webhooks.attempt.next'),
          attempt.nextAttemptAt ? <When key="next" at={attempt.nextAttemptAt} as="second" /> : undefined,
        ],
        [say('webhooks.problem'), attempt.statusCode === null && attempt.error ? attempt.error : undefined],
      ]}
    />
    {attempt.response && (
      <JsonBlock value={attempt.response} label={say('webhooks.attempt.answer', { attempt: attempt.attempt })} />
    )}
  </div>
)

/** Lists every attempt of a delivery, the latest first. */
export const Attempts = ({ log }: { log: readonly Attempt[] }) => (
  <ol className="rows">
    {log.toReversed().map((attempt) => (
      <li key={attempt.attempt} className="row">
        <div className="attempt-number" aria-hidden>
          {attempt.attempt}
        </div>
        <div className="row-main">
          <AttemptFacts attempt={attempt} />
        </div>
      </li>
    ))}
  </ol>
)
