import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Answer } from '../../../api.ts'
import { errorText } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { WayOn } from '../../overview/dashboard/first-week.tsx'
import { KeepKey, KeptElsewhere } from './confirm-key-kept.tsx'
import { recoveryKeyQuery, showRecoveryWords } from './system.api.ts'
import { say } from './words.ts'

/** Shows whether the installation's key is kept outside it, its words, and the proof that a person has them. */
export const RecoveryKeyPage = () => {
  const key = useQuery(recoveryKeyQuery)
  const [{ first }] = useSearchParams()
  const [words, setWords] = useState<string[] | null>(null)
  const [isElsewhere, setElsewhere] = useState(false)
  const show = useMutation({ mutationFn: showRecoveryWords, onSuccess: (answer) => setWords(answer.words) })
  // The address that the set-up opens shows the words at once, but no longer once the key is kept.
  const begun = useRef(false)
  const isFirst = first !== undefined && key.data?.kept === null
  useEffect(() => {
    if (!isFirst || begun.current) return
    begun.current = true
    show.mutate()
  }, [isFirst, show])
  return (
    <Page title={say('system.page.title')} subtitle={say('system.page.about')} narrow>
      <Section title={say('system.page.section')}>
        {words ? (
          <KeepKey words={words} onDone={() => setWords(null)} />
        ) : (
          <Loaded query={key}>
            {({ kept }) => (
              <Stack>
                <KeyState kept={kept} />
                {show.error && <Text className="error-text">{errorText(show.error)}</Text>}
                {isElsewhere ? (
                  <KeptElsewhere onDone={() => setElsewhere(false)} onCancel={() => setElsewhere(false)} />
                ) : (
                  <Group>
                    {kept && <WayOn />}
                    <Button
                      variant={kept ? 'default' : 'filled'}
                      loading={show.isPending}
                      onClick={() => show.mutate()}
                    >
                      {say('system.page.show')}
                    </Button>
                    {!kept && (
                      <Button variant="default" onClick={() => setElsewhere(true)}>
                        {say('system.page.elsewhere')}
                      </Button>
                    )}
                  </Group>
                )}
              </Stack>
            )}
          </Loaded>
        )}
      </Section>
    </Page>
  )
}

/** Says whether the key is kept outside the installation, and who said so. */
const KeyState = ({ kept }: { kept: Answer<'system.recoveryKey'>['kept'] }) =>
  kept ? (
    <Alert role="note" color="green" variant="light" icon={<IconCircleCheck size={18} />}>
      <Text size="sm">
        {kept.how === 'words' ? say('system.page.kept_words') : say('system.page.kept_elsewhere')} <When at={kept.at} />
      </Text>
      {kept.statement !== null && <Text size="sm">{say('system.page.statement', { statement: kept.statement })}</Text>}
    </Alert>
  ) : (
    <Alert role="note" color="yellow" variant="light" icon={<IconAlertTriangle size={18} />}>
      {say('system.page.not_kept')}
    </Alert>
  )
