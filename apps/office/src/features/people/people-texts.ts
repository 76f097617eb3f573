import texts from '@duet/locales/en/office-people.json'
import { addTexts } from '../../shared/texts.ts'

addTexts(texts)
