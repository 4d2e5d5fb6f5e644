import { Alert, Stack, Title } from '@mantine/core'
import { CopyText } from '../../../components/forms/copy-once.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Labels } from '../../../components/show/labels.tsx'
import { When } from '../../../components/show/moment.tsx'
import { CHECKS, CheckState, formatCertificate, GROUP_TYPES, nameRights } from './server-words.tsx'
import type { Check, ServerTest } from './servers.api.ts'
import { say } from './words.ts'
import './servers.css'

/** Returns the worst of what a test found. */
const findWorst = (checks: readonly Check[]): Check['state'] =>
  checks.some(({ state }) => state === 'fails')
    ? 'fails'
    : checks.some(({ state }) => state === 'look_closer')
      ? 'look_closer'
      : 'fine'

const TOLD = {
  fine: { color: 'green', text: say('terminals.test.all_fine') },
  look_closer: { color: 'yellow', text: say('terminals.test.some_look') },
  fails: { color: 'red', text: say('terminals.test.some_fail') },
} as const

/** Shows what a test found: its checks, the certificate that was presented, the groups and the rights of the login. */
export const TestResult = ({ test }: { test: ServerTest }) => {
  const { color, text } = TOLD[findWorst(test.checks)]
  return (
    <Stack gap="sm">
      <Alert color={color} variant="light" role="status">
        {text}
      </Alert>
      <ul className="rows">
        {test.checks.map((check) => (
          <li className="row" key={check.name}>
            <div className="row-main">
              <div>{CHECKS[check.name]}</div>
              <div className="row-sub fingerprint">{check.text}</div>
            </div>
            <CheckState state={check.state} />
          </li>
        ))}
      </ul>
      {test.certificate && <Presented certificate={test.certificate} />}
      {test.rights.had.length > 0 && (
        <Facts
          items={[
            [say('terminals.test.rights'), nameRights(test.rights.had)],
            [say('terminals.test.groups_read'), <ReadGroups key="groups" groups={test.groups} />],
          ]}
        />
      )}
    </Stack>
  )
}

const Presented = ({ certificate }: { certificate: NonNullable<ServerTest['certificate']> }) => (
  <section aria-label={say('terminals.test.presented')}>
    <div className="certificate-head">
      <Title order={3} size="h5">
        {say('terminals.test.presented')}
      </Title>
      <CopyText text={certificate.fingerprint} />
    </div>
    <dl className="fingerprint-fact">
      <dt>{say('terminals.test.fingerprint')}</dt>
      <dd>
        <code className="fingerprint">{formatCertificate(certificate.fingerprint)}</code>
      </dd>
    </dl>
    <Facts
      items={[
        [say('terminals.test.names'), <Labels key="names" values={certificate.names} limit={8} />],
        [say('terminals.test.issuer'), certificate.issuer],
        [say('terminals.test.ends'), <When key="ends" at={certificate.validTo} as="date" />],
      ]}
    />
  </section>
)

const ReadGroups = ({ groups }: Pick<ServerTest, 'groups'>) => {
  const read = groups.flatMap(({ name, currency, type }) =>
    type === null ? [] : [`${name} · ${currency} · ${GROUP_TYPES[type]}`],
  )
  return read.length === 0 ? say('terminals.test.no_groups') : <span className="masks">{read.join('\n')}</span>
}
