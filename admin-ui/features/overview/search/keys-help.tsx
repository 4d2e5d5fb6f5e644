import { Anchor, Kbd, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { hasDocs } from '../../../lib/api/docs.ts'
import { listScreenKeys } from '../../../lib/screen/screen-keys.ts'
import { say } from '../../../lib/text/words.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

type Key = readonly [keys: readonly string[], does: string]
const CTRL = IS_APPLE ? '⌘' : say('palette.key.ctrl')
const EVERYWHERE: readonly Key[] = [
  [[CTRL, 'K'], say('palette.help.search')],
  [[CTRL, 'Z'], say('palette.help.undo')],
  [['?'], say('palette.help.keys')],
  [['G', 'H'], say('parts.dashboard')],
  [['G', 'C'], say('common.clients')],
  [['G', 'D'], say('parts.deposits')],
  [['G', 'W'], say('parts.withdrawals')],
  [['G', 'K'], say('parts.kyc')],
  [['G', 'S'], say('parts.support')],
  [['G', 'L'], say('parts.leads')],
  [[say('palette.key.escape')], say('palette.help.close')],
]

const NAMES: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  enter: say('palette.key.enter'),
  ' ': say('palette.key.space'),
}

/** Lists the keys that act on the screen behind the help, those of one act together. */
const listHere = (): Key[] => {
  const byAct = Map.groupBy(listScreenKeys(), ({ does }) => does)
  return [...byAct].map(([does, keys]) => [keys.map(({ key }) => NAMES[key] ?? key.toUpperCase()), does])
}

/** Shows the keys of the console, and how to search for clients. */
export const KeysHelp = () => {
  // The help itself is a dialog, above which these keys do not act: they are listed before it opens.
  const [here] = useState(listHere)
  const groups = [
    { title: say('palette.help.here'), keys: here },
    { title: say('palette.help.everywhere'), keys: EVERYWHERE },
  ]
  return (
    <>
      <div className="key-groups">
        {groups
          .filter(({ keys }) => keys.length > 0)
          .map(({ title, keys }) => (
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
}
