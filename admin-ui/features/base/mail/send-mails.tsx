import { Text } from '@mantine/core'
import { useState } from 'react'
import { FormModal } from '../../../components/forms/form-modal.tsx'
import { BulkResults } from '../../../components/lists/bulk-results.tsx'
import type { Settle } from '../../../components/lists/list-acts.tsx'
import type { BulkResult } from '../../../components/lists/send-in-groups.ts'
import { useRefresh } from '../../../lib/api/use-record.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { type Mail, mailName, sendMails } from './mail.api.ts'
import { say } from './words.ts'

type SendMailsProps = { rows: readonly Mail[]; onResults: Settle; onClose: () => void }

/** Asks before mails are sent to their recipients again, then shows the result of each. */
export const SendMails = ({ rows, onResults, onClose }: SendMailsProps) => {
  const refresh = useRefresh()
  const [results, setResults] = useState<readonly BulkResult[] | null>(null)
  const state = useApiForm({
    initialValues: {},
    submit: async () => {
      const answer = await sendMails(rows.map(({ id }) => id))
      setResults(answer.results)
      onResults(answer.results)
      await refresh('mail')
    },
  })
  if (results) {
    const names = new Map(rows.map((mail) => [mail.id, mailName(mail)]))
    return (
      <BulkResults
        title={say('mail.send.title')}
        done={say('mail.status.queued')}
        results={results}
        getName={(id) => names.get(id) ?? id}
        onClose={onClose}
      />
    )
  }
  return (
    <FormModal
      state={state}
      title={say('mail.send.title')}
      submitLabel={say('mail.send.submit')}
      opened
      onClose={onClose}
    >
      <Text size="sm">{say('mail.send.about', { count: rows.length })}</Text>
    </FormModal>
  )
}
