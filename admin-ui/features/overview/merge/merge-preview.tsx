import { SimpleGrid, Text } from '@mantine/core'
import { Section } from '../../../components/page/section.tsx'
import { Money } from '../../../components/show/money.tsx'
import { fieldName } from '../../../lib/text/field-name.ts'
import { humanize } from '../../../lib/text/format.ts'
import type { Merge } from './merge.api.ts'
import { isSentenceKey, say } from './words.ts'

type Names = { primary: string; secondary: string }

/** What the server calls a kind of rows, in words; a later kind by its name. */
const worded = (sentence: string, key: string, count: number): string =>
  isSentenceKey(sentence) ? say(sentence, { count }) : `${humanize(key)}${count > 1 ? ` (${count})` : ''}`

/** What is lost, in words of its own where not the whole field is, or no field. */
const lostName = (field: string): string => {
  const sentence = `merges.lost.${field}`
  return isSentenceKey(sentence) ? say(sentence) : fieldName(field)
}

/** What merging would move, what both have, and what is in no record afterwards. */
export const MergePreview = ({ merge, names }: { merge: Merge; names: Names }) => (
  <SimpleGrid cols={{ base: 1, md: 3 }} mt="md">
    <Section title={say('merges.preview.moves')} description={say('merges.preview.moves_help', names)}>
      {merge.moves.length === 0 && merge.wallets.length === 0 ? (
        <Text size="sm">{say('merges.preview.nothing')}</Text>
      ) : (
        <ul className="merge-facts">
          {merge.wallets.map(({ currency, available, held }) => (
            <li key={currency}>
              <Money amount={available} currency={currency} />
              {Number(held) !== 0 && (
                <>
                  {' '}
                  + {say('merges.preview.held')} <Money amount={held} currency={currency} />
                </>
              )}
            </li>
          ))}
          {merge.moves.map(({ kind, count }) => (
            <li key={kind}>{worded(`merges.kind.${kind}`, kind, count)}</li>
          ))}
        </ul>
      )}
    </Section>
    <Section title={say('merges.preview.collides')} description={say('merges.preview.collides_help')}>
      {merge.collisions.length === 0 ? (
        <Text size="sm">{say('merges.preview.no_collisions')}</Text>
      ) : (
        <ul className="merge-facts">
          {merge.collisions.map(({ kind, count }) => (
            <li key={kind}>{worded(`merges.collision.${kind}`, kind, count)}</li>
          ))}
        </ul>
      )}
    </Section>
    <Section title={say('merges.preview.lost')} description={say('merges.preview.lost_help', names)}>
      {merge.lost.length === 0 ? (
        <Text size="sm">{say('merges.preview.nothing')}</Text>
      ) : (
        <ul className="merge-facts">
          {merge.lost.map((field) => (
            <li key={field}>{lostName(field)}</li>
          ))}
        </ul>
      )}
    </Section>
  </SimpleGrid>
)
