import { SimpleGrid, Text } from '@mantine/core'
import { Section } from '../../../components/page/section.tsx'
import { Money } from '../../../components/show/money.tsx'
import { fieldName } from '../../../lib/text/field-name.ts'
import { humanize } from '../../../lib/text/format.ts'
import type { Merge } from './merge.api.ts'
import { isSentenceKey, say } from './words.ts'

type Names = { primary: string; secondary: string }

/** Returns the sentence about a kind of rows, or its name for a kind that the console does not know yet. */
const worded = (sentence: string, key: string, count: number): string =>
  isSentenceKey(sentence) ? say(sentence, { count }) : `${humanize(key)}${count > 1 ? ` (${count})` : ''}`

/** Returns the name of what is lost: a special sentence where it is not exactly a field, or else the field's name. */
const lostName = (field: string): string => {
  const sentence = `merges.lost.${field}`
  return isSentenceKey(sentence) ? say(sentence) : fieldName(field)
}

/** Shows what a merge would move, what both clients have, and what would be lost. */
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
        <Text size="sm">{say('merges.preview.nothing')}</Text>
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
