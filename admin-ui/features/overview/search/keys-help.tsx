import { Anchor, Kbd, Text, Title } from '@mantine/core'
import { hasDocs } from '../../../lib/api/docs.ts'
import { say } from '../../../lib/text/words.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

type Key = readonly [keys: readonly string[], does: string]
const GROUPS: readonly { title: string; keys: readonly Key[] }[] = [
  {
    title: say('palette.help.everywhere'),
    keys: [
      [[IS_APPLE ? '⌘' : say('palette.key.ctrl'), 'K'], say('palette.help.search')],
      [['?'], say('palette.help.keys')],
      [['G', 'H'], say('parts.dashboard')],
      [['G', 'C'], say('common.clients')],
      [['G', 'D'], say('parts.deposits')],
      [['G', 'W'], say('parts.withdrawals')],
      [['G', 'K'], say('parts.kyc')],
      [['G', 'S'], say('parts.support')],
      [['G', 'L'], say('parts.leads')],
      [[say('palette.key.escape')], say('palette.help.close')],
    ],
  },
  {
    title: say('palette.help.lists'),
    keys: [
      [['/'], say('palette.help.filter')],
      [['↑', '↓'], say('palette.help.move')],
      [[say('palette.key.enter')], say('palette.help.open')],
      [['P'], say('palette.help.peek')],
      [['X'], say('palette.help.choose')],
    ],
  },
  {
    title: say('palette.help.records'),
    keys: [[['J', 'K'], say('palette.help.neighbours')]],
  },
  {
    title: say('palette.help.papers'),
    keys: [
      [['A'], say('palette.help.approve')],
      [['R'], say('palette.help.reject')],
    ],
  },
  {
    title: say('common.money'),
    keys: [
      [['S'], say('palette.help.settle')],
      [['A'], say('palette.help.approve_money')],
    ],
  },
]

/** Shows the keys of the console, and how to search for clients. */
export const KeysHelp = () => (
  <>
    <div className="key-groups">
      {GROUPS.map(({ title, keys }) => (
        <section key={title}>
          <Title order={3} size="h5" mb={6}>
            {title}
          </Title>
          <dl className="keys">
            {keys.map(([names, does]) => (
              <div key={does}>
                <dt>
                  {names.map((name) => (
                    <Kbd key={name} size="sm">
                      {name}
                    </Kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <section>
      <Title order={3} size="h5" mb={6}>
        {say('palette.help.finding')}
      </Title>
      <Text size="sm">{say('palette.help.find_phone')}</Text>
      <Text size="sm">{say('palette.help.find_words')}</Text>
      {hasDocs() && (
        <Text size="sm" mt="sm">
          {say('palette.help.guide')}{' '}
          <Anchor href="/docs/guide" target="_blank" rel="noopener" underline="always">
            {say('palette.help.guide_link')}
          </Anchor>
        </Text>
      )}
    </section>
  </>
)
