import { Text } from '@mantine/core'
import { BulkReason } from '../../../components/lists/bulk-reason.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { shownName } from '../traders/trader-names.ts'
import { BIRTH, COUNTRY } from './compared-words.ts'
import { decideHit, type NamedHit, SOURCE_LABELS } from './sanctions.api.ts'
import { say } from './words.ts'

/** Returns whether a match can be cleared together with others: a confirmed one takes two people, on its own page. */
export const isOpenHit = ({ status }: NamedHit): boolean => status === 'open'

const nameHit = ({ traderName, name }: NamedHit): string =>
  say('sanctions.clear.row', { client: shownName(traderName), name })

/** Clears several open matches with one reason, which is kept with each; a match that changed meanwhile is refused. */
export const BulkClear = ({ asked, onClose }: { asked: Asked<NamedHit>; onClose: () => void }) => {
  const { rows } = asked
  return (
    <BulkReason
      asked={asked}
      resource="sanctions"
      title={say('sanctions.clear.title_many', { count: rows.length })}
      submitLabel={say('sanctions.clear.title_many', { count: rows.length })}
      reason={{
        label: say('common.reason'),
        description: say('sanctions.clear.reason_hint'),
        missing: say('sanctions.reason.required'),
      }}
      act={async (hit, reason) => {
        const { firstWord } = await decideHit(hit, 'clear', reason)
        return firstWord ? say('sanctions.clear.first') : undefined
      }}
      getName={nameHit}
      result={say('sanctions.verdict.cleared')}
      done={(count) => say('sanctions.clear.done_many', { count })}
      onClose={onClose}
    >
      <ul
        className="rows bulk-rows bulk-focus"
        aria-label={say('sanctions.clear.list_label')}
        tabIndex={-1}
        data-autofocus
      >
        {rows.map((hit) => (
          <li key={hit.id} className="row">
            <div className="row-main">
              <div className="ellipsis">{nameHit(hit)}</div>
              <div className="row-sub">
                {[
                  say('sanctions.entry_of_source', { source: SOURCE_LABELS[hit.source], reference: hit.reference }),
                  `${say('field.dateOfBirth')}: ${BIRTH[hit.explanation.birth]}`,
                  `${say('field.country')}: ${COUNTRY[hit.explanation.country]}`,
                ].join(' · ')}
              </div>
            </div>
            <div className="row-side">{hit.score}</div>
          </li>
        ))}
      </ul>
      <Text size="sm">{say('sanctions.clear.about_many')}</Text>
    </BulkReason>
  )
}
