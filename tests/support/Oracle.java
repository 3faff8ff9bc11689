import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** Answers, line by line, what Java makes of texts; each text and each answer is UTF-8 in hexadecimal digits. */
class Oracle {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] words = line.split(" ", -1);
            System.out.println(write(answer(words[0], read(words[1]), words.length > 2 ? read(words[2]) : "")));
        }
    }

    static String answer(String question, String text, String other) {
        return switch (question) {
            case "name_uuid" -> hash(text);
            case "run_uuid" -> runUuid(text);
            case "compare" -> Integer.toString(Integer.signum(text.compareTo(other)));
            case "namespace" -> text.replaceAll("[^a-zA-Z0-9:/\\-_.@+]", "_");
            case "capitals" -> text.toUpperCase(Locale.ROOT);
            case "same_word" -> Boolean.toString(text.equalsIgnoreCase(other));
            case "zoned" -> ZonedDateTime.parse(text).withZoneSameInstant(ZoneId.of("UTC").normalized()).toString();
            default -> throw new IllegalArgumentException(question);
        };
    }

    static String runUuid(String text) {
        try {
            return UUID.fromString(text).toString();
        } catch (IllegalArgumentException noUuid) {
            return hash(text);
        }
    }

    static String hash(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    static String read(String digits) {
        return new String(HexFormat.of().parseHex(digits), StandardCharsets.UTF_8);
    }

    static String write(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
