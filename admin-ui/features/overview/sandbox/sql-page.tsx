import { Anchor, Button, Stack } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { Loaded } from '../../../components/page/loaded.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { Section } from '../../../components/page/section.tsx'
import { When } from '../../../components/show/moment.tsx'
import { useMe } from '../../../lib/api/session.ts'
import { SQL_EXAMPLES } from '../../../lib/text/sql-texts.ts'
import { ResultView } from './result-view.tsx'
import { fetchHistory, fetchSchema, runSql } from './sandbox.api.ts'
import { SchemaTree } from './schema-tree.tsx'
import { SqlEditor } from './sql-editor.tsx'
import { say } from './words.ts'
import './sandbox.css'

const NAMES = ['methods', 'countries', 'balances'] as const

/** An owner queries the firm's data by SQL here. */
export const SqlPage = () => {
  const cache = useQueryClient()
  const [sql, setSql] = useState('')
  const schema = useQuery({ queryKey: ['sql', 'schema'], queryFn: fetchSchema, staleTime: Number.POSITIVE_INFINITY })
  const run = useMutation({
    mutationFn: runSql,
    onSettled: () => cache.invalidateQueries({ queryKey: ['sql', 'history'] }),
  })
  const start = (): void => {
    if (sql.trim() !== '' && !run.isPending) run.mutate(sql)
  }
  return (
    <Page title={say('sandbox.page.title')} subtitle={say('sandbox.page.subtitle')}>
      <div className="sql-page">
        <Stack gap="lg" className="sql-main">
          <Section
            title={say('sandbox.editor.title')}
            actions={
              <Button
                leftSection={<IconPlayerPlay size={16} />}
                onClick={start}
                loading={run.isPending}
                disabled={sql.trim() === ''}
              >
                {say('sandbox.editor.run')}
              </Button>
            }
          >
            <SqlEditor value={sql} onChange={setSql} onRun={start} schema={schema.data} />
          </Section>
          {run.isPending ? (
            <PageLoader />
          ) : run.isError ? (
            <ErrorState error={run.error} retry={start} />
          ) : run.data ? (
            <ResultView key={run.submittedAt} result={run.data} />
          ) : (
            <EmptyState title={say('sandbox.start.title')} action={<Examples onUse={setSql} />}>
              {say('sandbox.start.text')}
            </EmptyState>
          )}
        </Stack>
        <Stack gap="lg" className="sql-side">
          <Loaded query={schema}>
            {(known) => (
              <SchemaTree
                schema={known}
                onInsert={(text) => setSql((now) => (now === '' || /\s$/.test(now) ? now + text : `${now} ${text}`))}
              />
            )}
          </Loaded>
          <History onUse={setSql} />
        </Stack>
      </div>
    </Page>
  )
}

const Examples = ({ onUse }: { onUse: (sql: string) => void }) => (
  <Stack gap={4} align="center">
    {NAMES.map((name) => (
      <Anchor key={name} component="button" type="button" size="sm" onClick={() => onUse(SQL_EXAMPLES[name])}>
        {say(`sandbox.example.${name}`)}
      </Anchor>
    ))}
  </Stack>
)

/** Lists the reader's earlier queries. */
const History = ({ onUse }: { onUse: (sql: string) => void }) => {
  const me = useMe()
  const history = useQuery({ queryKey: ['sql', 'history'], queryFn: () => fetchHistory(me.id) })
  return (
    <Section title={say('sandbox.history.title')} flush>
      <Loaded query={history}>
        {(queries) =>
          queries.length === 0 ? (
            <EmptyState title={say('sandbox.history.empty')} />
          ) : (
            <ul className="rows sql-history">
              {queries.map(({ sql: text, at }) => (
                <li key={text}>
                  <button type="button" title={say('sandbox.history.use')} onClick={() => onUse(text)}>
                    <code>{text}</code>
                    <span className="row-sub">
                      <When at={at} as="ago" />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
