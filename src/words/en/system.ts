/** The installation itself: its key, copies and proofs. */
export const system = {
  'system.key.shown_subject': 'The recovery key was shown',
  'system.key.shown_text':
    'Somebody who administers this installation looked at its recovery key, which opens every backup of it. If that was nobody you know of, end their session under Users and look at the audit log.',
  'system.key.words_or_sentence': 'give three words of the key, or say in “elsewhere” where it is kept',
  'system.key.place_twice': 'is a place that was given before',
  'system.key.wrong_word': 'is not the word at this place',
  'system.page.title': 'Recovery key',
  'system.page.about':
    'Everything secret in this installation is sealed with one key. A backup without it can be read by nobody, you included.',
  'system.page.section': 'The key as 24 words',
  'system.page.not_kept':
    'Nobody has said yet that the key is kept outside of this machine. If the machine is lost now, everything is.',
  'system.page.kept_words': 'Somebody typed words of the key back from what they keep.',
  'system.page.kept_elsewhere': 'Somebody said where the key is kept.',
  'system.page.show': 'Show the words',
  'system.page.write_down':
    'Write these words down in their order, or print them, and keep the paper where no fire and no thief gets both it and this machine. Whoever has them and a backup reads everything.',
  'system.page.words': 'The words of the key',
  'system.page.print': 'Print',
  'system.page.written': 'I have written them down',
  'system.page.look_again': 'Show the words again',
  'system.page.type_back': 'Type these three from what you keep.',
  'system.page.word_at': 'Word {place, number}',
  'system.page.word_missing': 'Type this word from your paper',
  'system.page.check': 'Check the words',
  'system.page.keep_first': 'Type the three words first, or say where the key is kept: nobody should go on without it.',
  'system.page.elsewhere': 'The key is kept elsewhere',
  'system.page.elsewhere_field': 'Where the key is kept',
  'system.page.elsewhere_about': 'A sentence for whoever needs it one day. It stands in the audit log with your name.',
  'system.page.elsewhere_missing': 'Say where the key is',
  'system.page.elsewhere_send': 'Note this',
  'system.page.noted': 'Noted: the key is kept.',
  'system.banner.label': 'Recovery key',
  'system.banner.text': 'The recovery key of this installation is kept nowhere else. Without it no backup can be read.',
  'system.banner.open': 'Keep it now',
} as const
