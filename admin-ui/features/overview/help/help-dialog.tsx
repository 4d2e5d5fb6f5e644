import { Modal, Stack, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { HelpTerm } from '../../../lib/screen/help.ts'
import { KeysHelp } from '../search/keys-help.tsx'
import { findHelp } from './help-pages.ts'
import { isSentenceKey, say } from './words.ts'

type HelpDialogProps = {
  /** The word that was asked for, which stands on top. */
  term: HelpTerm | null
  onClose: () => void
}

/** Says what the present page is for, with its words and tasks, and then the keys of the console. */
export const HelpDialog = ({ term, onClose }: HelpDialogProps) => {
  // the pattern of the page, such as /traders/$id: an id is no part of any help
  const pattern = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '/' })
  const page = findHelp(pattern === '/' ? pattern : pattern.replace(/\/$/, ''))
  const terms = (page?.terms ?? []).filter((one) => one !== term)
  return (
    <Modal opened onClose={onClose} title={say('palette.help.title')} size="lg">
      <Stack gap="lg" className="help">
        {term && <Terms terms={[term]} />}
        {page && <Text size="sm">{say(`help.about.${page.area}`)}</Text>}
        {terms.length > 0 && <Terms title={say('palette.help.words')} terms={terms} />}
        {page && (
          <section>
            <Heading>{say('palette.help.tasks')}</Heading>
            <ul className="help-tasks">
              {[1, 2, 3].map((n) => {
                const task = `help.task.${page.area}.${n}`
                return isSentenceKey(task) && <li key={n}>{say(task)}</li>
              })}
            </ul>
          </section>
        )}
        <KeysHelp />
      </Stack>
    </Modal>
  )
}

const Heading = ({ children }: { children: string }) => (
  <Title order={3} size="h5" mb={6}>
    {children}
  </Title>
)

const Terms = ({ title, terms }: { title?: string; terms: readonly HelpTerm[] }) => (
  <section>
    {title && <Heading>{title}</Heading>}
    <dl className="help-terms">
      {terms.map((term) => (
        <div key={term}>
          <dt>{say(`help.term.${term}`)}</dt>
          <dd>{say(`help.means.${term}`)}</dd>
        </div>
      ))}
    </dl>
  </section>
)
