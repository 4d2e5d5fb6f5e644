import { afterEach, describe, expect, test } from 'bun:test'
import { type FakeSmtp, startFakeSmtp } from '../testing/fakes/smtp.ts'
import { createMailTransport, MailError, type MailSettings } from './mail.ts'

// A certificate for localhost, made for this file only.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsLSOniW92c9KOFfv
Xq7gU6G5e37zbUQNT/RI2uk+TDmhRANCAAQWxt/qBij//VFrS9Rz25k3OBKKd6yR
IIPKOIa2fwotQlQ4zmZ9hhfNSiFFZ4dAO1/T0V1XQckSO7ya5JwQGqsh
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUVhqzH6WolXt1HKtMtWgtiH0avBwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAwNDk0MVoYDzIxMjYxMDI4
MDA0OTQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQWxt/qBij//VFrS9Rz25k3OBKKd6yRIIPKOIa2fwotQlQ4zmZ9hhfN
SiFFZ4dAO1/T0V1XQckSO7ya5JwQGqsho2kwZzAdBgNVHQ4EFgQUeGoWaUECSFej
naAoentyzC5wNiowHwYDVR0jBBgwFoAUeGoWaUECSFejnaAoentyzC5wNiowDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgUSWKj9Gdlt7+lp/odzwGGKowIuRZmVN4vPC4sIc9a+UCIQCu8Wied8xG
ux8nuC9LXeVUtl13dNSLjRG75IT/6owlGg==
-----END CERTIFICATE-----`

let smtp: FakeSmtp | undefined
afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
})

const start = async (options: Parameters<typeof startFakeSmtp>[0] = {}, settings: Partial<MailSettings> = {}) => {
  const started = await startFakeSmtp(options)
  smtp = started
  const mail = createMailTransport({
    host: started.host,
    port: started.port,
    from: 'Desk <desk@broker.test>',
    ...settings,
  })
  return { smtp: started, mail }
}

const failure = async (work: Promise<void>): Promise<MailError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof MailError) return error
    throw error
  }
  throw new Error('the mail was sent')
}

const invite = { to: 'ann@client.test', subject: 'Your invitation', text: 'Hello' }

describe('mail', () => {
  test('a mail delivers sender, recipient, subject and text as written', async () => {
    const { smtp, mail } = await start()
    const link = `https://crm.broker.test/invite?token=${'a1=b&'.repeat(40)}`
    const text = `Grüße 🔑\n\n.a line with a dot\n${link}\nend`
    await mail.send({ to: 'ann@client.test', subject: 'Übersicht – your invitation', text })
    expect(smtp.mails.length).toBe(1)
    expect(smtp.mails[0]).toMatchObject({ from: 'desk@broker.test', to: ['ann@client.test'], text, user: undefined })
    expect(smtp.mails[0]?.headers).toMatchObject({ from: 'Desk <desk@broker.test>', to: 'ann@client.test' })
    expect(smtp.mails[0]?.headers.subject).toMatch(/^=\?UTF-8\?/)
    expect(smtp.mails[0]?.headers['auto-submitted']).toBe('auto-generated')
    expect(smtp.mails[0]?.headers['content-type']).toMatch(/^text\/plain; charset=utf-8/)
  })

  test.each([
    ['jürgen@xn--mnchen-3ya.example', '<jürgen@münchen.example>', true],
    ['user@xn--mnchen-3ya.example', '<user@xn--mnchen-3ya.example>', false],
    ['taro.@docomo.example', '<"taro."@docomo.example>', false],
  ])('a mail to %s goes to %s; the relay is told that it needs SMTPUTF8: %p', async (to, recipient, isUtf8) => {
    const { smtp, mail } = await start()
    smtp.answers.EHLO = '250-fake\r\n250 SMTPUTF8'
    await mail.send({ ...invite, to })
    expect(smtp.commands).toContain(`RCPT TO:${recipient}`)
    expect(smtp.commands.some((line) => line.startsWith('MAIL') && line.endsWith(' SMTPUTF8'))).toBe(isUtf8)
  })

  test('a line break in the subject of a mail does not add a header', async () => {
    const { smtp, mail } = await start()
    await mail.send({ ...invite, subject: 'Hi\r\nBcc: eve@evil.test' })
    expect(smtp.mails[0]?.headers.bcc).toBeUndefined()
    expect(smtp.mails[0]?.to).toEqual(['ann@client.test'])
  })

  test.each([
    '',
    'ann',
    'a@b.test, c@d.test',
    'a@b.test;c@d.test',
    'Ann <a@b.test>',
    'a@b.test\r\nRCPT TO:<c@d.test>',
    'a b@c.test',
    'a@b@c.test',
    'group:a@b.test',
    '"a"@b.test',
  ])('a mail to %j is refused, since that is not one recipient', async (to) => {
    const { smtp, mail } = await start()
    expect((await failure(mail.send({ ...invite, to }))).fault).toBe('recipient')
    expect(smtp.commands).toEqual([])
  })

  test('the server greets the relay by its own name', async () => {
    const { smtp, mail } = await start({}, { name: 'crm.broker.test' })
    await mail.send(invite)
    expect(smtp.commands[0]).toBe('EHLO crm.broker.test')
  })

  test('the server signs in at the relay, and the error of a wrong password does not repeat it', async () => {
    const { smtp, mail } = await start({ password: 'right' }, { user: 'desk', password: 'right' })
    await mail.send(invite)
    expect(smtp.mails[0]?.user).toBe('desk')
    const wrong = createMailTransport({
      host: smtp.host,
      port: smtp.port,
      from: 'a@b.test',
      user: 'desk',
      password: 'hunter2',
    })
    const error = await failure(wrong.send(invite))
    expect([error.fault, error.message.includes('hunter2'), smtp.mails.length]).toEqual(['relay', false, 1])
  })

  test('a password is never sent over an unencrypted connection to another machine', async () => {
    const { smtp, mail } = await start({ password: 'right' }, { host: '0.0.0.0', user: 'desk', password: 'right' })
    await failure(mail.send(invite))
    expect(smtp.commands.some((line) => line.startsWith('AUTH'))).toBe(false)
  })

  test.each([
    ['RCPT', '550 5.1.1 no such user', 'recipient'],
    ['RCPT', '550 no such user', 'recipient'],
    ['RCPT', '552 5.2.2 mailbox full', 'recipient'],
    ['RCPT', '554 5.7.1 relay access denied', 'later'],
    ['RCPT', '550 5.4.5 daily sending quota exceeded', 'later'],
    ['RCPT', '450 4.2.0 greylisted', 'later'],
    ['RCPT', '450 4.7.1 greylisted', 'later'],
    ['RCPT', '452 4.3.1 no room', 'later'],
    ['.', '554 5.7.1 looks like spam', 'recipient'],
    ['.', '550 5.4.5 daily sending quota exceeded', 'later'],
    ['.', '451 4.7.0 later', 'later'],
    ['MAIL', '553 5.1.8 sender not allowed', 'relay'],
    ['MAIL', '451 4.3.0 later', 'relay'],
    ['EHLO', '502 5.5.1 no', 'relay'],
    ['connect', '554 5.7.1 your network is blocked', 'relay'],
    ['connect', '421 too busy', 'relay'],
  ] as const)('at %s, the relay’s answer %j counts as a fault of: %s', async (verb, answer, fault) => {
    const { smtp, mail } = await start()
    smtp.answers[verb] = answer
    if (verb === 'EHLO') smtp.answers.HELO = answer
    expect((await failure(mail.send(invite))).fault).toBe(fault)
    expect(smtp.mails).toEqual([])
  })

  test.each(['connect', 'EHLO', 'MAIL', 'DATA', '.'])(
    'silence of the relay at %s counts as its own fault',
    async (verb) => {
      const { smtp, mail } = await start({}, { connectTimeoutMs: 500, totalTimeoutMs: 200 })
      smtp.answers[verb] = 'silence'
      expect((await failure(mail.send(invite))).fault).toBe('relay')
    },
  )

  test('an absent relay counts as a fault of the relay', async () => {
    const { smtp, mail } = await start()
    await smtp.stop()
    expect((await failure(mail.send(invite))).fault).toBe('relay')
  })

  test('a certificate is checked on the way to another machine, by authority and by name or address', async () => {
    const { smtp } = await start({ tls: { key, cert } })
    const by = (host: string, extra: object = {}) =>
      createMailTransport({ host, port: smtp.port, from: 'a@b.test', secure: true, ...extra }).send(invite)
    // 0.0.0.0 is this machine too, but the server does not know that
    expect((await failure(by('0.0.0.0'))).message).toContain('self')
    expect((await failure(by('0.0.0.0', { trustedCertificates: cert }))).message).toContain('IP: 0.0.0.0')
    expect(smtp.mails).toEqual([])
  })

  test.each(['localhost', '127.0.0.1'])('a relay on this machine may have any certificate: %s', async (host) => {
    const { smtp, mail } = await start({ tls: { key, cert } }, { host, secure: true })
    await mail.send(invite)
    expect(smtp.mails.length).toBe(1)
  })
})
