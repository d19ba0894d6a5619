/* What the records were made with and on: headers, devices, and what the sensors said.
 * Clause: report.html.environment. */
#include "conformance/report/page_html.h"
#include "conformance/record/record_fields.h"

#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/base/number.h"

enum { VALUE_BYTES = 8192, ITEM_BYTES = VALUE_BYTES, MORE_BYTES = 32 };

/* An item of a list: a text, or an object's texts with its first one before a colon. */
static void item_text(const json_t *item, char *ret, size_t bytes)
{
    const char *key;
    json_t *value;
    size_t used = 0, count = 0;
    snprintf(ret, bytes, "%s", value_text(item));
    json_object_foreach((json_t *)item, key, value)
    {
        if (json_is_string(value) && used < bytes)
            used += (size_t)snprintf(ret + used, bytes - used, "%s%s%s%s",
                                     count == 0   ? ""
                                     : count == 1 ? ": "
                                                  : "; ",
                                     count == 0 ? "" : key, count == 0 ? "" : " ",
                                     json_string_value(value));
        count++;
    }
}

/* A value as text: whatever is in the header or the device line is shown; of a list what fits, and
 * how many more there are. */
static void show_value(const json_t *value, char *ret, size_t bytes)
{
    const json_t *item;
    size_t index, used = 0, left_out = 0;
    ret[0] = 0;
    if (json_is_string(value))
        snprintf(ret, bytes, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(ret, bytes, "%lld", (long long)json_integer_value(value));
    else if (json_is_number(value))
        snprintf(ret, bytes, "%.6g", json_number_value(value));
    json_array_foreach(value, index, item)
    {
        char text[ITEM_BYTES];
        item_text(item, text, sizeof text);
        if ((text[0] == 0 && !json_is_string(item)) || used + strlen(text) + MORE_BYTES >= bytes)
            left_out++;
        else
            used += (size_t)snprintf(ret + used, bytes - used, "%s%s", used ? ", " : "", text);
    }
    if (left_out > 0)
        snprintf(ret + used, bytes - used, "%s%zu more", used ? " and " : "", left_out);
}

/* Names of keys as words: "memory_bytes" is "memory bytes". */
static void put_object(FILE *file, const json_t *object)
{
    enum { PAIRS_MAX = 64 };
    const char *key;
    json_t *value;
    size_t count = 0;
    char text[VALUE_BYTES], bytes[NUMBER_TEXT_BYTES], more[NUMBER_COUNT_BYTES];
    fputs("<div class=\"scroll\"><table class=\"pairs\"><tbody>\n", file);
    json_object_foreach((json_t *)object, key, value)
    {
        size_t letters = strlen(key);
        if (count++ == PAIRS_MAX)
            break;
        show_value(value, text, sizeof text);
        fputs("<tr><th scope=\"row\">", file);
        for (size_t index = 0; index < letters; index++) {
            char letter[2] = {key[index] == '_' ? ' ' : key[index], 0};
            if (index < 64 && (unsigned char)letter[0] < 0x80)
                escape_html(file, letter);
        }
        fputs("</th><td>", file);
        escape_html(file, text);
        if (letters > 6 && strcmp(key + letters - 6, "_bytes") == 0)
            fprintf(file, " (%s)", number_bytes(value_number(json_object_get(object, key)), bytes));
        fputs("</td></tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
    if (json_object_size(object) > PAIRS_MAX)
        fprintf(file, "<p>Only in the record: %s.</p>\n",
                number_count(json_object_size(object) - PAIRS_MAX, "more value", more));
}

/* The range of one reading over all lines of the kinds that have sensors; false where none had. */
static bool range_of(const struct loaded_record *record, const char *device, const char *moment,
                     const char *key, double *ret_low, double *ret_high)
{
    static const enum loaded_kind sensed[] = {LOADED_BENCH, LOADED_PEAK, LOADED_LATENCY,
                                              LOADED_SWEEP};
    bool any = false;
    for (size_t kind = 0; kind < sizeof sensed / sizeof sensed[0]; kind++) {
        const struct loaded_lines *lines = &record->kinds[sensed[kind]];
        for (size_t index = 0; index < lines->count; index++) {
            const json_t *line = lines->lines[index];
            const json_t *reading = json_object_get(field_result_sensors(line), moment);
            double value = value_number(json_object_get(reading, key));
            if (!figure_is_of(line, device) || value_number(raw_reading_sm_mhz(reading)) <= 0)
                continue;
            *ret_low = !any || value < *ret_low ? value : *ret_low;
            *ret_high = !any || value > *ret_high ? value : *ret_high;
            any = true;
        }
    }
    return any;
}

/* The distinct words that NVML gave for why the GPU was slowed. */
static void reasons_text(const struct loaded_record *record, const char *device, const char *moment,
                         char *ret, size_t bytes)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_BENCH];
    ret[0] = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        const json_t *reading = json_object_get(field_result_sensors(line), moment);
        if (figure_is_of(line, device) && value_number(raw_reading_sm_mhz(reading)) > 0)
            value_list_add(ret, bytes, field_reading_reasons(reading));
    }
}

static void add_moment(struct table *table, const struct loaded_record *record, const char *device,
                       const char *moment)
{
    static const char *const keys[] = {FIELD_KEY(reading, sm_mhz), FIELD_KEY(reading, memory_mhz),
                                       FIELD_KEY(reading, temperature_c),
                                       FIELD_KEY(reading, power_w),
                                       FIELD_KEY(reading, ecc_uncorrected)};
    char reasons[256], text[2][NUMBER_TEXT_BYTES];
    table_cell(table, "%s", moment);
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++) {
        double low = 0, high = 0;
        range_of(record, device, moment, keys[index], &low, &high);
        if (low < high)
            table_cell(table, "%s to %s", number_short(low, text[0]), number_short(high, text[1]));
        else
            table_cell(table, "%s", number_short(low, text[0]));
    }
    reasons_text(record, device, moment, reasons, sizeof reasons);
    table_cell(table, "%s", reasons);
}

static bool put_sensors(FILE *file, const struct loaded_record *record, const char *device)
{
    static const char *const headings[] = {"moment",
                                           ">SM MHz",
                                           ">memory MHz",
                                           ">\xc2\xb0"
                                           "C",
                                           ">W",
                                           ">uncorrected ECC errors",
                                           "throttle reasons",
                                           NULL};
    static const char *const moments[] = {FIELD_KEY(sensors, before), FIELD_KEY(sensors, during),
                                          FIELD_KEY(sensors, after)};
    struct table table;
    double low, high;
    if (!range_of(record, device, FIELD_KEY(sensors, during), FIELD_KEY(reading, sm_mhz), &low,
                  &high)) {
        const struct loaded_lines *peaks = &record->kinds[LOADED_PEAK];
        const char *why = peaks->count ? field_peak_sensors_note(peaks->lines[0]) : "";
        escape_markup(file, "<p class=\"missing\">No sensor readings: %s.</p>\n",
                      why[0] ? why : "`assay bench` reports these when NVML is present");
        return true;
    }
    table_open(&table, headings);
    for (size_t index = 0; index < sizeof moments / sizeof moments[0]; index++)
        add_moment(&table, record, device, moments[index]);
    fputs("<p class=\"quiet\">Sensors before, during and after the measurements, lowest to highest "
          "reading:</p>\n",
          file);
    table_html(file, &table);
    bool whole = !table.failed;
    table_close(&table);
    return whole;
}

bool page_environment(FILE *file, const struct loaded *loaded)
{
    bool whole = true;
    fputs("<section id=\"environment\"><h2>Environment</h2>\n", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const bool begins = index == 0 || record->file != record[-1].file;
        const bool ends = index + 1 == loaded->count || record->file != record[1].file;
        if (begins)
            escape_markup(file, "<h3>%s</h3>\n", record->path);
        if (!begins || !ends)
            escape_markup(file, "<p class=\"quiet whose\">%s</p>\n", loaded_measure(record));
        put_object(file, record->header);
        for (size_t device = 0; device < record->device_count; device++) {
            const json_t *line = loaded_device(record, record->devices[device]);
            escape_markup(file, "<h3>%s%s</h3>\n", record->devices[device],
                          line ? "" : ", never opened");
            if (line)
                put_object(file, line);
            whole &= put_sensors(file, record, record->devices[device]);
        }
    }
    fputs("</section>\n", file);
    return whole;
}
