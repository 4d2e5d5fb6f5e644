import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { EU, OFAC, sdnRow, UN } from '../../../testing/fakes/sanctions-lists.ts'
import { parseList } from './list-parsers.ts'
import { createMatcher, type ListEntry } from './matcher.ts'
import { readName, similarity } from './person-names.ts'
import { screenTraders } from './sanctions.jobs.ts'

describe('matching', () => {
  test('names in any script are read as sorted Latin words', () => {
    expect(readName('ВОЛКОВ, Сергей').tokens).toEqual(readName('Sergey Volkov').tokens)
    expect(readName('Dr. José Müller-Öztürk').tokens).toEqual(['jose', 'muller', 'ozturk'])
    expect(readName('محمد').tokens).toEqual(['mhmd'])
    expect(readName('Al').tokens).toEqual(['al'])
  })

  test('the similarity of words is symmetric, and 1 only for the same word', () => {
    expect(similarity('martha', 'marhta')).toBeCloseTo(0.961, 3)
    expect(similarity('abc', 'xyz')).toBe(0)
    for (const [a, b] of [
      ['dwayne', 'duane'],
      ['smirnov', 'smirnova'],
    ] as const)
      expect(similarity(a, b)).toBeCloseTo(similarity(b, a), 10)
  })

  const match = createMatcher([
    ...parseList('ofac_sdn', OFAC),
    ...parseList('eu', { content: EU }),
    ...parseList('un', { content: UN }),
  ])
  const find = (name: string, dateOfBirth: string | null = null, country: string | null = null) =>
    match({ name, dateOfBirth, country })[0] ?? null

  test.each([
    ['Sergei Volkov', '1961-03-12', 'RU', '101'],
    ['Sergey Volkov', null, null, '101'],
    ['Волков Сергей', '1961-01-01', null, '101'],
    ['Anna Smirnowa', null, 'RU', '55'],
    ['Anna Petrovna Smirnova', '1984-07-02', null, '55'],
    ['Karim Haddad', '1970-05-05', null, '103'],
    ['Yusuf Rashid Omar', null, 'IQ', 'TSi.001'],
  ])('the client %s (%s, %s) matches the entries %s', (name, birth, country, reference) => {
    expect(find(name, birth, country)?.entry.reference).toBe(reference)
  })

  test.each([['Anna'], ['Sergei Petrov'], ['Karim Nasser'], ['Maria Georgiou'], ['Omar Khalid'], ['']])(
    'the client %s matches no entry',
    (name) => {
      expect(find(name)).toBeNull()
    },
  )

  test('another date of birth lowers the score of a match, whose explanation says so', () => {
    expect(find('Karim Haddad', '1999-01-01')?.score ?? 0).toBeLessThan(find('Karim Haddad')?.score ?? 0)
    expect(find('Sergei Volkov', '1961-03-12', 'RU')?.explanation).toMatchObject({
      birth: 'same',
      country: 'same',
      words: expect.arrayContaining([{ ours: 'volkov', theirs: 'volkov', similarity: 100 }]),
    })
  })

  test.each([
    ['王小明', 'WANG, Xiaoming'],
    ['Wang Xiaoming', '王小明'],
    ['김정수', '김정수'],
    ['אברהם לוי', 'LEVY, Avraham'],
    ['محمد سلمان', 'SALMAN, Mohammed'],
    ['გიორგი ბერიძე', 'BERIDZE, Giorgi'],
    ['Արմեն Սարգսյան', 'SARGSYAN, Armen'],
    ['Олексій Кузьмін', 'KUZMIN, Oleksii'],
    ['山田 太郎', '山田太郎'],
  ])('the name %s matches %s in another script', (ours, listed) => {
    const entry = {
      reference: '1',
      kind: 'person',
      names: [listed],
      births: [],
      countries: [],
      programme: null,
    } as const
    const found = createMatcher([{ ...entry, names: [listed], births: [], countries: [] }])
    expect(found({ name: ours, dateOfBirth: null, country: null })).toHaveLength(1)
    expect(found({ name: 'Maria Georgiou', dateOfBirth: null, country: null })).toEqual([])
  })

  test.each([
    ['Victor Bout', 'BOUT, Viktor'],
    ['Alexander Petrov', 'PETROV, Aleksandr'],
    ['Wladimir Orlov', 'ORLOV, Vladimir'],
    ['Catherine Smith', 'SMITH, Katherine'],
    ['Maxim Ivanov', 'IVANOV, Maksim'],
    ['Philip Green', 'GREEN, Filip'],
    ['Alexei Sokolov', 'SOKOLOV, Aleksey'],
    ['Saddam Hussein', 'HUSAYN, Saddam'],
  ])('the name %s matches %s, which is spelled differently', (ours, listed) => {
    const entry = { reference: '1', kind: 'person' as const, births: [], countries: [], programme: null }
    const found = createMatcher([{ ...entry, names: [listed] }])
    expect(found({ name: ours, dateOfBirth: null, country: null })).toHaveLength(1)
  })

  test.each([
    ['Mohammed Chan', 'KHAN, Mohammed'],
    ['Yang Wei', 'JIANG, Wei'],
    ['Ken Li', 'CHEN, Li'],
    ['Kang Min', 'CHANG, Min'],
    ['Ko Min Su', 'CHO, Min Su'],
    ['Ali Can', 'KHAN, Ali'],
    ['Yin Lan', 'JIN, Lan'],
  ])('the name %s does not match the listed name %s, since short names are common', (ours, listed) => {
    const entry = { reference: '1', kind: 'person' as const, births: [], countries: [], programme: null }
    const found = createMatcher([{ ...entry, names: [listed] }])
    expect(found({ name: ours, dateOfBirth: null, country: null })).toEqual([])
  })

  test('a list’s entities are read as characters, and an unknown country is ignored', () => {
    const [entry] = parseList('eu', {
      content:
        '<export><sanctionEntity logicalId="1"><nameAlias wholeName="Nu&apos;man &amp; Sa&#8217;id"/><citizenship countryDescription="Atlantis"/></sanctionEntity></export>',
    })
    expect(entry).toMatchObject({ names: ["Nu'man & Sa’id"], countries: ['Atlantis'] })
    const [match] = entry ? createMatcher([entry])({ name: "Nu'man Sa’id", dateOfBirth: null, country: 'CY' }) : []
    expect(match?.explanation.country).toBe('unknown')
    const remarks = 'nationality Syria; citizen Korea, North.'
    expect(
      parseList('ofac_sdn', { ...OFAC, sdn: sdnRow(7, 'X, Y', 'individual', 'P', remarks) }, true)[0]?.countries,
    ).toEqual(['SY', 'KP'])
  })

  test('an identical name matches whatever birth and country say; a year within a range counts as the same', () => {
    const [same] = match({ name: 'Sergei Volkov Ivanovich', dateOfBirth: '1999-01-01', country: 'CY' })
    expect(same).toMatchObject({ score: 85, explanation: { nameScore: 100, birth: 'differs', country: 'differs' } })
    expect(find('Karim Haddad', '1971-05-05')?.explanation.birth).toBe('same_year')
    expect(find('Karim Haddad', '1973-05-05')?.explanation.birth).toBe('differs')
  })

  test('equal beginnings count once on both sides, and every listed namesake matches', () => {
    const person = (reference: string, name: string): ListEntry => ({
      reference,
      kind: 'person',
      names: [name],
      births: [],
      countries: [],
      programme: null,
    })
    const list = createMatcher([
      person('1', 'MARKOVA, Maria'),
      person('2', 'HASSAN, Ahmed'),
      person('3', 'HASSAN, Ahmed'),
    ])
    const references = (name: string) =>
      list({ name, dateOfBirth: null, country: null }).map(({ entry }) => entry.reference)
    expect(references('Maria Markova')).toEqual(['1'])
    expect(references('Ahmed Hassan')).toEqual(['2', '3'])
  })

  test('one person is found among 20,000 entries', () => {
    const many: ListEntry[] = Array.from({ length: 20_000 }, (_, n) => ({
      reference: `x${n}`,
      kind: 'person',
      names: [`Name${n} Family${n % 977}`],
      births: [],
      countries: [],
      programme: null,
    }))
    const big = createMatcher(many)
    expect(big({ name: 'Name77 Family77', dateOfBirth: null, country: null })[0]?.entry.reference).toBe('x77')
  })
})

describe('lists and hits', () => {
  let app: TestApp
  let firm: Firm
  let other: Firm
  beforeAll(async () => {
    app = createTestApp()
    firm = await app.firm('alpha')
    other = await app.firm('beta')
  })
  afterAll(() => app.close())
  const load = (source: string, list: string | typeof OFAC, version = '2026-01-05', as = firm.as.admin) =>
    app.call('POST', '/v1/sanctions/lists', {
      as,
      body: { source, version, ...(typeof list === 'string' ? { content: list } : { files: list }) },
    })
  const screen = () => screenTraders.run({ platform: app.platform, signal: new AbortController().signal })
  const hits = async (of: Firm = firm, query = '') =>
    (await app.call('GET', `/v1/sanctions/hits${query}`, { as: of.as.manager })).body.data

  test('a list screens every client, and each new one; a hit blocks money until it is cleared', async () => {
    const early = await firm.trader({ firstName: 'Sergei', lastName: 'Volkov' })
    await firm.trader({ firstName: 'Maria', lastName: 'Georgiou' })
    await other.trader({ firstName: 'Sergei', lastName: 'Volkov' })
    firm.effects()
    const loaded = await load('ofac_sdn', OFAC)
    expect(loaded.status).toBe(201)
    expect(loaded.body).toMatchObject({ source: 'ofac_sdn', entries: 3, current: true, screenedAt: null })
    expect(loaded.body.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(firm.effects()).toEqual({ events: [], actions: ['sanctions.load'] })
    expect(await screen()).toBe('2 clients screened, 1 match')
    const [hit] = await hits()
    expect(hit).toMatchObject({ traderId: early, reference: '101', status: 'open', source: 'ofac_sdn' })
    expect(await hits(other)).toEqual([])

    const { body: late } = await app.call('POST', '/v1/traders', {
      as: firm.as.operator,
      body: { email: 'late@x.test', firstName: 'Karim', lastName: 'Haddad' },
    })
    await screen()
    expect(await hits(firm, `?traderId=${late.id}`)).toHaveLength(1)
    expect(await screen()).toBeNull()

    const clear = (id: string, as = firm.as.manager) =>
      app.call('POST', `/v1/sanctions/hits/${id}/clear`, { as, body: { reason: 'other birthplace' } })
    expect((await clear(hit.id, firm.as.operator)).status).toBe(403)
    expect((await clear(hit.id, other.as.owner)).status).toBe(404)
    expect((await clear(hit.id)).body).toMatchObject({
      status: 'cleared',
      reason: 'other birthplace',
      decidedBy: firm.as.manager.id,
      listHash: loaded.body.hash,
    })
    expect((await clear(hit.id)).status).toBe(409)
    const confirmed = await app.call('POST', `/v1/sanctions/hits/${hit.id}/confirm`, {
      as: firm.as.manager,
      body: { reason: 'passport seen' },
    })
    expect(confirmed.body.status).toBe('confirmed')
  })

  test('matches are sorted by score, page by page', async () => {
    for (const name of [{ firstName: 'Sergey' }, { firstName: 'Serge' }])
      await firm.trader({ lastName: 'Volkov', ...name })
    await screen()
    const read = async (sort: string, cursor = ''): Promise<number[]> => {
      const query = `source=ofac_sdn&limit=1&sort=${sort}${cursor && `&cursor=${cursor}`}`
      const { data, nextCursor } = (await app.call('GET', `/v1/sanctions/hits?${query}`, { as: firm.as.manager })).body
      const scores = data.map(({ score }: { score: number }) => score)
      return nextCursor ? [...scores, ...(await read(sort, nextCursor))] : scores
    }
    const scores = await read('score')
    expect(new Set(scores).size).toBeGreaterThan(1)
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(await read('-score')).toEqual(scores.toReversed())
    firm.effects()
  })

  test('a cleared hit opens again if the client becomes more like the person on the list', async () => {
    const { body: trader } = await app.call('POST', '/v1/traders', {
      as: firm.as.operator,
      body: { email: 'again@x.test', firstName: 'Sergei', lastName: 'Volkov' },
    })
    await screen()
    const [hit] = await hits(firm, `?traderId=${trader.id}`)
    const decide = (what: string) =>
      app.call('POST', `/v1/sanctions/hits/${hit.id}/${what}`, { as: firm.as.manager, body: { reason: 'born later' } })
    expect((await decide('clear')).body.status).toBe('cleared')
    const change = (body: object) => app.call('PATCH', `/v1/traders/${trader.id}`, { as: firm.as.operator, body })
    const one = (as = firm.as.manager) => app.call('GET', `/v1/sanctions/hits/${hit.id}`, { as })
    expect((await one()).body).toMatchObject({
      id: hit.id,
      client: { name: 'Sergei Volkov', dateOfBirth: null },
      entry: {
        name: 'VOLKOV, Sergei Ivanovich',
        aliases: ['BARKOV, Dmitri', 'WOLKOW, Sergej'],
        births: ['1961-03-12'],
      },
    })
    expect([(await one(firm.as.operator)).status, (await one(other.as.owner)).status]).toEqual([403, 404])
    const blind = await app.call('POST', '/v1/api-keys', {
      as: firm.as.owner,
      body: { label: 'k', scopes: ['kyc:read'] },
    })
    const seen = await one({ ...firm.as.owner, headers: { 'x-api-key': blind.body.key } })
    expect([seen.status, seen.body.client, seen.body.entry.kind]).toEqual([200, null, 'person'])
    await change({ lastName: 'VOLKOV' })
    await screen()
    expect((await hits(firm, `?traderId=${trader.id}`))[0].status).toBe('cleared')
    await change({ dateOfBirth: '1961-03-12' })
    firm.effects()
    await screen()
    expect((await hits(firm, `?traderId=${trader.id}`))[0]).toMatchObject({
      status: 'open',
      reason: null,
      decidedBy: null,
      explanation: { birth: 'same' },
    })
    expect(firm.effects().actions).toEqual(['sanctions.reopen'])
    expect((await decide('confirm')).body.status).toBe('confirmed')
    await change({ dateOfBirth: '1990-01-01' })
    await screen()
    expect((await hits(firm, `?traderId=${trader.id}`))[0].status).toBe('confirmed')
  })

  test.each([
    ['Karim', 'Haddad', { dateOfBirth: '1970-02-02' }],
    ['Dmitri', 'Barkov', { country: 'RU' }],
  ])(
    'a cleared hit opens again if only a birth or a country becomes certain: of %s %s',
    async (firstName, lastName, body) => {
      const { body: trader } = await app.call('POST', '/v1/traders', {
        as: firm.as.operator,
        body: { email: `${lastName}@x.test`, firstName, lastName },
      })
      await screen()
      const [hit] = await hits(firm, `?traderId=${trader.id}`)
      expect(hit).toMatchObject({ score: 100, explanation: { birth: 'unknown', country: 'unknown' } })
      await app.call('POST', `/v1/sanctions/hits/${hit.id}/clear`, {
        as: firm.as.manager,
        body: { reason: 'a namesake' },
      })
      await app.call('PATCH', `/v1/traders/${trader.id}`, { as: firm.as.operator, body })
      await screen()
      expect((await hits(firm, `?traderId=${trader.id}`))[0]).toMatchObject({ status: 'open', score: 100 })
    },
  )

  test('a new version of a list screens again and keeps decisions; the same file is refused', async () => {
    expect((await load('ofac_sdn', OFAC)).body.code).toBe('sanctions.same_list')
    const before = await hits()
    const next = await load(
      'ofac_sdn',
      { ...OFAC, sdn: OFAC.sdn.replace('\u001a', sdnRow(104, 'GEORGIOU, Maria', 'individual', 'X', '')) },
      '2026-02-01',
    )
    expect(next.status).toBe(201)
    await screen()
    const after = await hits()
    expect(after).toHaveLength(before.length + 1)
    expect(after.find(({ id }: { id: string }) => id === before.at(-1).id)).toEqual(before.at(-1))
    const lists = await app.call('GET', '/v1/sanctions/lists', { as: firm.as.manager })
    expect(lists.body.data.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(lists.body.data[0].screenedAt).not.toBeNull()
  })

  test('lists and hits stay as they are after a file that is no list', async () => {
    firm.effects()
    for (const source of ['eu', 'un']) {
      const answer = await load(source, '<html>sorry</html>')
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'content'])
    }
    expect((await load('eu', EU, 'v', firm.as.manager)).status).toBe(403)
    expect(firm.effects()).toEqual({ events: [], actions: ['sanctions.refuse', 'sanctions.refuse'] })
  })
})
