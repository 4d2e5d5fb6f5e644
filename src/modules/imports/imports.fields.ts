/** What a column of a file can fill. `currency` is that of the account and of the opening balance in the same line. */
export const IMPORT_FIELDS = [
  ...(['externalId', 'email', 'phone', 'name', 'firstName', 'lastName', 'country', 'language', 'dateOfBirth'] as const),
  ...(['street', 'city', 'region', 'postalCode', 'tags', 'source', 'affiliateCode'] as const),
  ...(['platform', 'accountNumber', 'leverage', 'isDemo', 'currency', 'balance'] as const),
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** What a line fills, by field; `surplus` stands where it has more cells than the file has heads. */
export type Cells = Partial<Record<ImportField | 'surplus', string>>

/**
 * How the heads of such columns are usually written, without blanks, signs and accents, in English, German, French,
 * Spanish, Italian, Portuguese, Polish and Russian.
 */
const HEADS: Readonly<Record<ImportField, string>> = {
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
  platform: 'platform server tradingplatform plattform plateforme plataforma piattaforma platforma платформа сервер',
  accountNumber:
    'accountnumber account accountno accountid tradingaccount mtlogin mt4login mt5login konto kontonummer compte numerodecompte cuenta numerodecuenta conto conta numerkonta счет номерсчета',
  leverage: 'leverage hebel levier apalancamiento leva alavancagem dzwignia плечо',
  isDemo: 'isdemo demo accounttype kontotyp',
  currency: 'currency ccy currencycode waehrung wahrung devise moneda valuta moeda waluta валюта',
  balance: 'balance openingbalance cash cashbalance saldo kontostand guthaben solde soldo баланс остаток',
}

/** A head as it is compared: small letters and digits alone. */
const plain = (head: string): string =>
  head
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')

const FIELD_OF = new Map(
  IMPORT_FIELDS.flatMap((field) => HEADS[field].split(' ').map((head): [string, ImportField] => [plain(head), field])),
)

/** What the columns of a file mean by their heads, the first one of each meaning. */
export function guessMapping(heads: readonly string[]): Record<string, ImportField> {
  const mapping: Record<string, ImportField> = {}
  for (const head of heads) {
    const field = FIELD_OF.get(plain(head))
    if (field !== undefined && !Object.values(mapping).includes(field)) mapping[head] = field
  }
  return mapping
}
