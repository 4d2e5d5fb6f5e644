/**
 * The usual column headings of files with clients, accounts and balances, without blanks, signs and accents, in
 * English, German, French, Spanish, Italian, Portuguese, Polish and Russian. Server and console guess the fields of
 * columns with them.
 */
const HEADS = {
  externalId:
    'externalid id clientid customerid userid crmid login kundennummer kundenid idclient numeroclient idcliente idklienta numerklienta идентификатор ид idклиента',
  email:
    'email emailaddress mail epost emailadresse courriel adressemail correo correoelectronico indirizzoemail почта электроннаяпочта емейл',
  phone:
    'phone phonenumber telephone tel mobile mobilephone cell telefon telefonnummer handy telephoneportable portable telefono movil celular cellulare telefone телефон мобильный',
  name: 'name fullname clientname customername kunde kundenname nomcomplet client nombrecompleto cliente nomecompleto nominativo imieinazwisko фио имяифамилия клиент',
  firstName: 'firstname givenname forename vorname prenom nombre nome primeironome imie имя',
  lastName:
    'lastname surname familyname nachname familienname nom nomdefamille apellido apellidos cognome sobrenome apelido nazwisko фамилия',
  country: 'country countrycode residence land pays pais paese kraj страна',
  language: 'language lang sprache langue idioma lingua jezyk язык',
  dateOfBirth:
    'dateofbirth birthdate birthday dob geburtsdatum datedenaissance fechadenacimiento datadinascita datadenascimento dataurodzenia датарождения',
  street:
    'street address address1 addressline1 strasse adresse anschrift rue calle direccion via indirizzo rua endereco ulica adres улица адрес',
  city: 'city town ort stadt wohnort ville ciudad citta cidade miasto город',
  region: 'region state province county bundesland departement provincia estado regione wojewodztwo регион область',
  postalCode:
    'postalcode postcode zip zipcode plz postleitzahl codepostal codigopostal cap cep kodpocztowy индекс почтовыйиндекс',
  tags: 'tags tag labels label etiketten etiquettes etiquetas etichette tagi метки',
  source: 'source leadsource utmsource quelle herkunft origine origen origem zrodlo источник',
  affiliateCode:
    'affiliatecode affiliate ib ibcode referralcode partner partnercode partnercodes promo codepartenaire партнер кодпартнера',
  platform: 'platform tradingplatform plattform plateforme plataforma piattaforma platforma платформа',
  server: 'server servername tradingserver serveur servidor serwer сервер',
  accountNumber:
    'accountnumber account accountno accountid tradingaccount mtlogin mt4login mt5login konto kontonummer compte numerodecompte cuenta numerodecuenta conto conta numerkonta счет номерсчета',
  leverage: 'leverage hebel levier apalancamiento leva alavancagem dzwignia плечо',
  isDemo: 'isdemo demo accounttype kontotyp',
  group: 'group accountgroup tradinggroup gruppe kontogruppe groupe grupo gruppo grupa группа',
  currency: 'currency ccy currencycode waehrung wahrung devise moneda valuta moeda waluta валюта',
  balance:
    'balance openingbalance accountbalance cash cashbalance saldo kontostand guthaben solde soldo баланс остаток',
} as const

type Field = keyof typeof HEADS
const isField = (name: string): name is Field => Object.hasOwn(HEADS, name)

/** Reduces a heading to small letters and digits, for comparison. */
const plain = (head: string): string =>
  head
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')

const FIELD_OF = new Map(
  Object.keys(HEADS)
    .filter(isField)
    .flatMap((field) => HEADS[field].split(' ').map((head): [string, Field] => [plain(head), field])),
)

/** If a file has one of these columns, its login is an account number on a trading platform, not a person's name. */
const OF_ACCOUNT: readonly (Field | undefined)[] = ['group', 'leverage', 'balance']
/** Returns whether headings are those of a trading platform's export, which lists accounts by login. */
export function isPlatformExport(heads: readonly string[]): boolean {
  const known = heads.map(plain)
  return known.includes('login') && known.some((head) => OF_ACCOUNT.includes(FIELD_OF.get(head)))
}

/**
 * Guesses the fields of a file's columns from their headings; if two columns have one field, the first counts. In the
 * export of a trading platform, a column `id` is the number of an identity document, and the balance is that of the
 * account: it goes to the client's wallet only if a person says so.
 */
export function guessMapping(heads: readonly string[]): Record<string, Field> {
  const mapping: Record<string, Field> = {}
  const ofPlatform = isPlatformExport(heads)
  for (const head of heads) {
    const usual = FIELD_OF.get(plain(head))
    const isLeft = plain(head) === 'id' || usual === 'balance'
    const field = !ofPlatform ? usual : plain(head) === 'login' ? 'accountNumber' : isLeft ? undefined : usual
    if (field !== undefined && !Object.values(mapping).includes(field)) mapping[head] = field
  }
  return mapping
}

/** Returns how many headings of a line are known, so that the header row is found below titles. */
export const rateHeads = (heads: readonly string[]): number =>
  new Set(heads.map((head) => FIELD_OF.get(plain(head))).filter((field) => field !== undefined)).size
