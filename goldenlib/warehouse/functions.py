"""Functions that an agent's SQL may call, and why others are refused.

Rule: a list of what is allowed: functions that compute from their arguments and rows, of DuckDB, PostgreSQL and SQLite. What is not
on it is refused, whatever it does; the patterns only say why. Functions that sqlglot knows by a class of its own are taken for pure,
unless a pattern says otherwise: a new release of sqlglot may know more of them, and the engine is closed in any case.
"""

from __future__ import annotations

import re

# Where a table is expected. No table function of DuckDB besides these is without a file, an address, a catalogue or SQL in a text.
_TABLE_FUNCTIONS = """
    explode exploding_generate_series flatten generate_date_array generate_series generate_subscripts generate_timestamp_array
    json_array_elements
    json_array_elements_text json_each json_each_text json_object_keys json_tree jsonb_array_elements jsonb_array_elements_text
    jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query posexplode range regexp_matches regexp_split_to_table
    string_to_table unnest values
"""
TABLE_FUNCTIONS = frozenset(_TABLE_FUNCTIONS.split())

# SQL text inside SQL, files, other databases, settings, the session, waiting: none of them is an answer about the data.
_REASONS = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (
            r"read_|parquet_|scan_|glob$|sniff_|lo_|load_|to_file|.*_scan$|.*_file$|copy|pg_read|pg_ls|pg_stat_file|import|export",
            "reads or writes files",
        ),
        (
            r"dblink|http|postgres_|mysql_|sqlite_|iceberg|delta_|net_func|load_aws|which_secret|secret",
            "reaches other databases or the network",
        ),
        (r".*sleep|benchmark$|waitfor", "only waits"),
        (
            r"query|.*_to_xml|json_execute|json_serialize|json_deserialize|exec|xmltable|x_m_l_table|open_j_s_o_n|ts_stat",
            "runs SQL that is hidden in a text",
        ),
        (r".*setting|set_config|getenv|get_?variable|setseed|add_parquet|force_|enable_|disable_", "reads or changes settings"),
        (
            r"nextval|setval|currval|lastval|next_value_for|txid|write_log|pg_advisory|pg_notify|pg_cancel|pg_terminate|pg_reload",
            "changes or reads state",
        ),
        (
            r"current_(?!date|time|local)|session_|system_user|user|version|.*privilege|inet_|host$|object_id",
            "tells about the session, not about the data",
        ),
        (r"pg_(?!typeof$)|duckdb_|pragma_|information_|col_desc|obj_desc|shobj_desc|format_type|catalog", "reads the system catalogue"),
        (r"a_?i_|m_l_|predict|generate_(text|table|embedding|bool|double|int)|vector_search|features_at", "calls a model"),
    )
)


def why_refused(name: str, *, known_to_parser: bool) -> str | None:
    """Return why a function may not be called, in words that follow its name; None when it may."""
    for pattern, why in _REASONS:
        if pattern.match(name):
            return why
    is_pure = known_to_parser or name in PURE_FUNCTIONS
    return None if is_pure else "is not on the list of functions that are allowed; leave it out, or allow it with allow_functions"


_PURE_FUNCTIONS = """
    abs acos acosh add add_months age aggregate ago any_value apply approx_count_distinct approx_quantile approx_top_k arbitrary arg_max
    arg_max_null arg_max_nulls_last arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg array_aggr array_aggregate
    array_append array_apply array_cat array_concat array_contains array_cosine_distance array_cosine_similarity array_cross_product
    array_dims array_distance array_distinct array_dot_product array_extract array_fill array_filter array_grade_up array_has
    array_has_all array_has_any array_indexof array_inner_product array_intersect array_length array_lower array_ndims
    array_negative_dot_product array_negative_inner_product array_pop_back array_pop_front array_position array_positions array_prepend
    array_push_back array_push_front array_reduce array_remove array_replace array_resize array_reverse array_reverse_sort array_select
    array_slice array_sort array_to_json array_to_string array_to_string_comma_default array_transform array_unique array_upper
    array_value array_where array_zip ascii asin asinh assert_true atan atan2 atanh avg bar base64 bin binom bit_and bit_count
    bit_length bit_or bit_position bit_xor bitstring bitstring_agg bool_and bool_or btrim cardinality cbrt ceil ceiling century char
    char_length character_length charindex chr clock_timestamp concat concat_ws contains convert convert_from convert_to corr cos cosh
    cot count count_if count_star countif covar_pop covar_samp cume_dist current_date current_localtime current_localtimestamp
    damerau_levenshtein date_add date_bin date_diff date_format date_part date_sub date_trunc dateadd datediff datepart daterange
    datesub datetime datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade decimal_average decimal_division decode
    degrees dense_rank div divide editdist3 element_at encode ends_with entropy enum_code enum_first enum_last enum_range
    enum_range_boundary eomonth epoch epoch_ms epoch_ns epoch_us equi_width_bins era error even every exp factorial favg fdiv fill
    filter first first_value flatten floor fmod format format_bytes formatreadabledecimalsize formatreadablesize from_base64 from_binary
    from_hex from_json from_json_strict fsum gamma gcd gen_random_uuid generate_series generate_subscripts geomean geometric_mean
    get_bit get_byte get_current_time get_current_timestamp grade_up greatest greatest_common_divisor group_concat hamming hash hex
    histogram histogram_exact hour if ifnull iif ilike_escape initcap instr int4range int8range is_histogram_other_bin isempty isfinite
    isinf isnan isnull isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json json_agg json_array json_array_elements
    json_array_elements_text json_array_length json_build_array json_build_object json_contains json_copy_strftime_if_date
    json_copy_strftime_if_timestamp json_deep_merge json_each json_each_text json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_group_array json_group_object json_group_structure json_insert json_keys
    json_merge_patch json_merge_patch_diff json_normalize json_object json_object_agg json_object_keys json_pretty json_quote
    json_remove json_replace json_set json_strip_nulls json_structure json_transform json_transform_strict json_type json_typeof
    json_valid json_value jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
    jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys
    jsonb_path_exists jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
    jsonb_typeof julian julianday justify_days justify_hours justify_interval kahan_sum kurtosis kurtosis_pop lag last last_day
    last_value lcase lcm lead least least_common_multiple left left_grapheme len length length_grapheme levenshtein lgamma like_escape
    likelihood likely list list_aggr list_aggregate list_any_value list_append list_apply list_approx_count_distinct list_avg
    list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_cat list_concat list_contains list_cosine_distance
    list_cosine_similarity list_count list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter
    list_first list_grade_up list_has list_has_all list_has_any list_histogram list_indexof list_inner_product list_intersect
    list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode list_negative_dot_product
    list_negative_inner_product list_pack list_position list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort
    list_select list_sem list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg list_sum list_transform
    list_unique list_value list_var_pop list_var_samp list_where list_zip listagg ln log log10 log2 lower lower_inc lower_inf lpad ltrim
    lttb mad make_date make_interval make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz makedate maketime map
    map_concat map_contains map_contains_entry map_contains_value map_entries map_extract map_extract_value map_from_entries map_keys
    map_values max max_by md5 md5_number md5_number_lower md5_number_upper mean median microsecond millennium millisecond min min_by
    min_scale minute mismatches mod mode month monthname months_between multiply multirange nanosecond nextafter nfc_normalize
    normalized_interval not_ilike_escape not_like_escape now nth_value ntile nullif num_nonnulls num_nulls numrange nvl nvl2
    octet_length ord overlay parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_ident parse_path path_join
    percent_rank percentile_cont percentile_disc pg_typeof phraseto_tsquery pi plainto_tsquery position pow power prefix printf product
    quantile quantile_cont quantile_disc quarter quote_ident quote_literal quote_nullable radians random range range_agg range_merge
    rank rank_dense reduce regexp_count regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_instr regexp_like
    regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reservoir_quantile reverse right right_grapheme round
    round_even roundbankers row row_number row_to_json rpad rtrim scale second sem set_bit sha1 sha224 sha256 sha384 sha512 sign signbit
    similarity sin sinh skewness split split_part sqrt st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_crs st_geomfromgeojson
    st_geomfromwkb st_intersects_extent st_setcrs starts_with statement_timestamp stddev stddev_pop stddev_samp str_split
    str_split_regex str_to_date strftime string_agg string_split string_split_regex string_to_array string_to_table strip_accents strlen
    strpos strptime struct_concat struct_contains struct_extract struct_extract_at struct_has struct_indexof struct_insert struct_keys
    struct_pack struct_position struct_update struct_values substr substring substring_grapheme subtract suffix sum sum_no_overflow
    sumkahan switch tan tanh time_bucket timediff timeofday timestampadd timestampdiff timezone timezone_hour timezone_minute to_base
    to_base64 to_binary to_centuries to_char to_date to_days to_decades to_hex to_hours to_json to_jsonb to_microseconds to_millennia
    to_milliseconds to_minutes to_months to_number to_quarters to_seconds to_timestamp to_tsquery to_tsvector to_weeks to_years today
    total transaction_timestamp translate trim trim_array trim_scale trunc try_strptime ts_headline ts_rank ts_rank_cd tsrange tstzrange
    tsvector_to_array typeof ucase unbin unhex unicode union_extract union_tag union_value unistr unixepoch unlikely unpivot_list upper
    upper_inc upper_inf url_decode url_encode uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 var_pop var_samp variance
    variant_array_length variant_contains variant_exists variant_extract variant_extract_string variant_group_array variant_group_object
    variant_keys variant_type variant_typeof vertex_extract wavg websearch_to_tsquery week weekday weekofyear weighted_avg width_bucket
    xmlagg xor year yearweek zeroblob
"""
PURE_FUNCTIONS = frozenset(_PURE_FUNCTIONS.split())
